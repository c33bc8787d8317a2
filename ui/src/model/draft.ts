// A conversation while events are put into it: what changes is copied once for all of them, the rest is shared with before.
import type { Conversation, Turn } from "./conversation";
import type { AgentEntry, Entry } from "./entry";

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export class Draft {
  seq: number;
  private readonly before: Conversation;
  private readonly fields: Mutable<Partial<Conversation>> = {};
  private entries: Map<string, Entry> | undefined;
  private turns: Map<string, Turn> | undefined;
  private order: string[] | undefined;

  constructor(before: Conversation) {
    this.before = before;
    this.seq = before.seq;
  }

  get<Key extends keyof Conversation>(field: Key): Conversation[Key] {
    return field in this.fields ? (this.fields[field] as Conversation[Key]) : this.before[field];
  }

  set<Key extends keyof Conversation>(field: Key, value: Conversation[Key]): void {
    (this.fields as Record<string, unknown>)[field] = value;
  }

  entry(key: string): Entry | undefined {
    return (this.entries ?? this.before.entries).get(key);
  }

  /** Puts an entry at the end of the conversation, or of the sub-agent it belongs to; one that is known is replaced. */
  put(entry: Entry, agent?: string): void {
    const known = this.entry(entry.key) !== undefined;
    this.entries ??= new Map(this.before.entries);
    this.entries.set(entry.key, entry);
    if (known) return;
    const parent = agent === undefined ? undefined : this.entry(agentKey(agent));
    if (parent?.kind === "agent") {
      this.entries.set(parent.key, { ...parent, order: [...parent.order, entry.key] });
      return;
    }
    this.order ??= [...this.before.order];
    this.order.push(entry.key);
  }

  /** Puts what stands at the top level behind everything else there. */
  toEnd(key: string): void {
    const order = this.order ?? this.before.order;
    const at = order.lastIndexOf(key);
    if (at < 0 || at === order.length - 1) return;
    this.order ??= [...this.before.order];
    this.order.splice(at, 1);
    this.order.push(key);
  }

  /** Changes an entry of a kind, if there is one. */
  change<Kind extends Entry["kind"]>(
    key: string,
    kind: Kind,
    change: (entry: Extract<Entry, { kind: Kind }>) => Partial<Extract<Entry, { kind: Kind }>>,
  ): void {
    const entry = this.entry(key);
    if (entry?.kind !== kind) return;
    const known = entry as Extract<Entry, { kind: Kind }>;
    this.put({ ...known, ...change(known) });
  }

  turn(id: string): Turn | undefined {
    return (this.turns ?? this.before.turns).get(id);
  }

  putTurn(turn: Turn): void {
    this.turns ??= new Map(this.before.turns);
    this.turns.set(turn.id, turn);
  }

  finish(): Conversation {
    if (this.seq === this.before.seq) return this.before;
    return {
      ...this.before,
      ...this.fields,
      seq: this.seq,
      entries: this.entries ?? this.before.entries,
      turns: this.turns ?? this.before.turns,
      order: this.order ?? this.before.order,
    };
  }
}

/** Where a sub-agent's thread stands. */
export const agentKey = (threadId: string): string => `agent:${threadId}`;

export type { AgentEntry };
