// Sends the question to the server, one at a time: while an answer is awaited, only the newest
// question waits.

type Message = Record<string, unknown>;

interface Page {
  /** The message that asks, or null if there is nothing to ask. `forced`: the answer plays in any case. */
  question(forced: boolean): Message | null;
  /** There is nothing to ask. */
  empty(): void;
  send(message: Message): boolean;
}

export class Asker {
  askedAt = 0; // when the input came that the awaited answer is for
  private nextId = 1;
  private awaited = 0; // id
  private again = false;
  private soonest = 0; // the first input since the last question

  constructor(private readonly page: Page) {}

  get busy(): boolean {
    return this.awaited !== 0;
  }

  ask(forced = false): void {
    if (this.soonest === 0) this.soonest = performance.now();
    if (this.busy) {
      this.again = true;
      return;
    }
    const message = this.page.question(forced);
    if (!message) {
      this.soonest = 0;
      return this.page.empty();
    }
    this.askedAt = this.soonest;
    this.soonest = 0;
    if (this.page.send({ ...message, id: this.nextId })) this.awaited = this.nextId++;
  }

  /** Question `id` was answered or refused; the newest question follows. */
  ended(id: number | undefined): void {
    if (id !== undefined && id === this.awaited) this.awaited = 0;
    if (!this.again) return;
    this.again = false;
    this.ask();
  }

  /** Forgets what was sent on a connection that is gone. */
  reset(): void {
    this.awaited = 0;
    this.again = false;
  }
}
