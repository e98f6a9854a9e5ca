/** Connects a provider from the command line: a person says yes in the browser, and the answer comes to this machine. */
import { openBrowser } from '../drivers/browser/open-browser.ts';
import { openAnswerDesk } from '../drivers/browser/wait-for-answer.ts';
import { SluiceError } from '../kernel/errors.ts';
import type { HomeClient } from './home-client.ts';
import { sealAnswer, sealClientSecret } from './seal-secret.ts';

export interface ConnectOptions {
  readonly home: string;
  readonly provider: string;
  readonly user?: string | undefined;
  readonly scopes: readonly string[];
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly port?: number | undefined;
  /** Also shows the address in the browser. */
  readonly opens: boolean;
  readonly timeoutMs: number;
  /** Told the address where a person has to say yes, and where the answer goes. */
  onUrl(url: string, redirectUri: string): void;
}

export async function connectProvider(
  client: HomeClient,
  options: ConnectOptions,
): Promise<Record<string, unknown>> {
  const { home, provider, user, scopes, clientId, clientSecret } = options;
  const desk = await openAnswerDesk(options.port);
  try {
    const begun = await client.call('credential.begin_connect', {
      provider,
      redirect_uri: desk.redirectUri,
      scopes,
      ...(user !== undefined && { user }),
      ...(clientId !== undefined && { client_id: clientId }),
      ...(clientSecret !== undefined && {
        sealed_client_secret: sealClientSecret(home, provider, clientSecret),
      }),
    });
    const [flow, url] = [String(begun.flow), String(begun.authorization_url)];
    const answered = desk.answer(new URL(url).searchParams.get('state') ?? '', options.timeoutMs);
    options.onUrl(url, desk.redirectUri);
    if (options.opens) openBrowser(url);
    const answer = await answered.catch(() => {
      throw new SluiceError('deadline_exceeded', `"${provider}" was not connected: nobody answered in time`);
    });
    return await client.call('credential.finish_connect', {
      flow,
      sealed_answer: sealAnswer(home, flow, answer),
    });
  } finally {
    desk.close();
  }
}
