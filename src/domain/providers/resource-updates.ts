/**
 * Resources of providers that somebody follows. As long as there is one, its provider is kept connected and told which;
 * a connection that ended is made anew, and who follows is then told that something may have changed meanwhile.
 */
import { SluiceError } from '../../kernel/errors.ts';
import { type AdmittedMeans, callAdmitted } from './admitted-call.ts';
import { isAdmittedResource } from './ask-provider.ts';
import { custodyOf } from './custody/custody-rules.ts';
import { Followed } from './followed.ts';
import { isInvokable } from './lifecycle.ts';
import type { UpstreamLink } from './ports/upstream.ts';

/** Of one connection, and of all together. */
const MAX_URIS = 256;
const MAX_IN_ALL = 4_096;
/** A connection that broke in silence is found out about when it is used, which is at least so often. */
const LOOK_EVERY_MS = 15_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
/** What somebody follows from now on. */
export interface Following {
  end(): void;
  /**
   * Back when no change is missed any more: the server tells of them, or could not be asked yet and its followers are
   * told once when it was. Throws when it refuses.
   */
  readonly stands: Promise<void>;
}

export class ResourceUpdates {
  readonly #use: AdmittedMeans;
  readonly #all = new Map<string, Followed>();
  readonly #stop = new AbortController();
  readonly #unwatch: () => void;

  constructor(use: AdmittedMeans) {
    this.#use = use;
    this.#unwatch = use.directory.onChange(() => {
      for (const followed of this.#all.values()) followed.wake();
    });
  }

  follow(provider: string, uri: string, user: string, changed: () => void): Following {
    const followed = this.#of(provider, user);
    const inAll = [...this.#all.values()].reduce((sum, { uris }) => sum + uris.size, 0);
    if (!followed.uris.has(uri) && (followed.uris.size >= MAX_URIS || inAll >= MAX_IN_ALL))
      throw new SluiceError('rate_limited', `Too many resources of "${provider}" are followed already`);
    const others = followed.uris.get(uri) ?? new Set();
    followed.uris.set(uri, others.add(changed));
    const stands = followed.stands(uri);
    followed.wake();
    return {
      stands,
      end() {
        if (!others.delete(changed) || others.size > 0) return;
        followed.forget(uri);
        followed.wake();
      },
    };
  }

  close(): void {
    this.#unwatch();
    this.#stop.abort();
    for (const followed of this.#all.values()) followed.wake();
  }

  #of(provider: string, user: string): Followed {
    const profile = this.#use.directory.find(provider)?.profile;
    const own = profile && custodyOf(profile).perUser ? user : '';
    const known = this.#all.get(`${provider} ${own}`);
    if (known) return known;
    const fresh = new Followed(provider, user);
    this.#all.set(`${provider} ${own}`, fresh);
    void this.#keep(`${provider} ${own}`, fresh);
    return fresh;
  }

  /** Until nobody follows anything of it any more. */
  async #keep(key: string, followed: Followed): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    do {
      const woken = followed.woken();
      const link = await this.#followAll(followed);
      if (link && !link.ended) {
        pause = FIRST_PAUSE_MS;
        // One that tells nothing is not kept for what it does not tell.
        const lasts = link.followed > 0 ? [link.over, after(LOOK_EVERY_MS)] : [];
        await Promise.race([woken, ...lasts]);
      }
      if (!link || link.ended) await Promise.race([woken, after(pause)]);
      pause = link ? pause : Math.min(pause * 2, LONGEST_PAUSE_MS);
    } while (isNeeded(followed) && !this.#stop.signal.aborted);
    this.#all.delete(key);
  }

  /** The connection that follows them now; undefined when there is none. */
  async #followAll(followed: Followed): Promise<UpstreamLink | undefined> {
    const { provider, user, link: before } = followed;
    if (!isNeeded(followed)) return undefined;
    let known: readonly string[] = [];
    let refused: readonly string[] = [];
    try {
      followed.link = await callAdmitted(this.#use, provider, {
        effect: 'READ_ONLY',
        repeatable: true,
        signal: this.#stop.signal,
        user,
        require: () => undefined,
        send: async (link, { profile }) => {
          known = [...followed.uris.keys()];
          const uris = known.filter((uri) => isAdmittedResource(profile, uri));
          refused = await link.follow(uris, (uri) => this.#tell(followed, uri));
          return link;
        },
      });
    } catch {
      // It is held, or cannot be reached; the next time comes.
      followed.goOn([...followed.uris.keys()]);
      return undefined;
    }
    const late = followed.begun(known, refused);
    const missed = before && before !== followed.link ? followed.uris.keys() : late;
    for (const uri of missed) this.#tell(followed, uri);
    return followed.link;
  }

  /** What was taken from the admitted meanwhile is not spoken of. */
  #tell(followed: Followed, uri: string): void {
    const provider = this.#use.directory.find(followed.provider);
    if (provider && isInvokable(provider.state) && isAdmittedResource(provider.profile, uri))
      followed.tell(uri);
  }
}

/** Also to say that nothing is followed any more, to one that is still there. */
const isNeeded = ({ uris, link }: Followed): boolean =>
  uris.size > 0 || (link !== undefined && !link.ended && link.followed > 0);

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
