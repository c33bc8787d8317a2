// One quiet place for screen readers, made when it is first needed.

let place: HTMLElement | undefined;

export function announce(text: string): void {
  if (!place?.isConnected) {
    place = document.createElement("div");
    place.className = "visually-hidden";
    place.setAttribute("role", "status");
    // Behind a page that fills the window it would make the window scroll.
    place.style.top = "0";
    document.body.append(place);
  }
  place.textContent = text;
}
