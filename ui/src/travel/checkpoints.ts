// States of a conversation at even distances, so that going back does not begin at the first event. A state shares what did not
// change with its neighbours, but its lists are its own: so there are never more than MOST, however long the session is.
import { type Conversation, EMPTY } from "../model/conversation";

const MOST = 64;

export class Checkpoints {
  /** Between two of them; doubled when there would be too many. */
  private distance: number;
  /** The first is at `distance`, the next at twice that, without a gap. */
  private kept: Conversation[] = [];

  constructor(distance = 128) {
    this.distance = distance;
  }

  get count(): number {
    return this.kept.length;
  }

  /** The last that is not after this event. */
  before(seq: number): Conversation {
    const index = Math.min(Math.floor(seq / this.distance), this.kept.length) - 1;
    return this.kept[index] ?? EMPTY;
  }

  /** Where the first one after this event belongs. */
  after(seq: number): number {
    return (Math.floor(seq / this.distance) + 1) * this.distance;
  }

  /** Kept if it is the next one. */
  offer(state: Conversation): void {
    if (state.seq !== (this.kept.length + 1) * this.distance) return;
    this.kept.push(state);
    if (this.kept.length <= MOST) return;
    this.kept = this.kept.filter((_, index) => index % 2 === 1);
    this.distance *= 2;
  }
}
