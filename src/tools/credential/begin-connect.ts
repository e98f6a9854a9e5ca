/** Asks the authorization server of a provider where a person has to say yes. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { CredentialFamilyMeans } from './means.ts';
import { OWNER_OF_CREDENTIALS, userArgument } from './slot-shape.ts';

export const beginConnect = defineTool({
  ...OWNER_OF_CREDENTIALS,
  name: 'credential.begin_connect',
  title: 'Begin to connect a provider',
  summary:
    'Finds the authorization server of a provider and answers the address where a person gives consent.',
  effect: 'external_side_effect',
  example: { provider: 'tracker', redirect_uri: 'http://127.0.0.1:49152/callback' },
  input: z.object({
    provider: z.string().max(64).describe('The id of the provider'),
    user: userArgument,
    redirect_uri: z
      .string()
      .max(200)
      .describe('Where the answer is waited for: http://127.0.0.1:PORT/callback'),
    scopes: z.array(z.string().max(200)).max(64).default([]).describe('Besides what the provider asks for'),
    client_id: z.string().max(2_000).optional().describe('Under which Sluice was registered there by hand'),
    sealed_client_secret: z
      .string()
      .max(40_000)
      .optional()
      .describe("Its secret, sealed with the home's key"),
  }),
  output: z.object({
    flow: z.string(),
    authorization_url: z.string(),
    issuer: z.string(),
    resource: z.string(),
    scopes: z.array(z.string()),
  }),
  async handler(use: CredentialFamilyMeans, wanted) {
    const { id, flow } = await use.connections.begin({
      provider: wanted.provider,
      user: wanted.user,
      redirectUri: wanted.redirect_uri,
      scopes: wanted.scopes,
      clientId: wanted.client_id,
      sealedClientSecret: wanted.sealed_client_secret,
    });
    const { authorizationUrl, issuer, resource, scopes } = flow;
    return { flow: id, authorization_url: authorizationUrl, issuer, resource, scopes: [...scopes] };
  },
});
