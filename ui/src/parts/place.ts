// Where something that lies above the page stands: below what it belongs to, else above it, and always inside the window.

export interface Place {
  top: number;
  left: number;
}

interface Box {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

const GAP = 4;
const RIM = 8;

export function beside(anchor: Box, size: { width: number; height: number }, room = { width: innerWidth, height: innerHeight }): Place {
  const below = anchor.bottom + GAP;
  const above = anchor.top - GAP - size.height;
  const top = below + size.height + RIM <= room.height || above < RIM ? below : above;
  const left = Math.max(RIM, Math.min(anchor.right - size.width, room.width - size.width - RIM));
  return { top, left };
}
