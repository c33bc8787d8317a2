// One quiet place for screen readers, made when it is first needed.

let place: HTMLElement | undefined;

export function announce(text: string): void {
  if (!place?.isConnected) {
    place = document.createElement("div");
    place.className = "visually-hidden";
    place.setAttribute("role", "status");
    document.body.append(place);
  }
  place.textContent = text;
}
