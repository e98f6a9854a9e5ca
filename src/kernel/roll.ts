/**
 * Who is present, for members that come and go with every call. Not a Map or a Set: each of their tables that is
 * outgrown keeps hold of the next one, so that what left long ago lives on until the next full collection.
 */
export interface RollMember {
  /** Kept by the roll; −1 when it is on none. */
  place: number;
}

export class Roll<Member extends RollMember> implements Iterable<Member> {
  readonly #members: Member[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: Member): void {
    member.place = this.#members.length;
    this.#members.push(member);
  }

  /** False when it was not there. The last one takes its place. */
  remove(member: Member): boolean {
    const { place } = member;
    if (place < 0) return false;
    const last = this.#members.pop() as Member;
    if (last !== member) {
      this.#members[place] = last;
      last.place = place;
    }
    member.place = -1;
    return true;
  }

  /** Those that are there now, whoever leaves meanwhile. */
  [Symbol.iterator](): Iterator<Member> {
    return this.#members.slice()[Symbol.iterator]();
  }
}
