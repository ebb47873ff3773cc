import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
} from "openid-client";
import { ConfigError, type Config } from "../config.ts";

/** What a provider says about somebody who signed in there. */
export type OidcIdentity = {
  issuer: string;
  subject: string;
  email: string | undefined;
  isEmailVerified: boolean;
  name: string | undefined;
};

export type Oidc = {
  /** Where the browser goes, and what proves the answer. */
  begin(redirectUri: string): Promise<{ url: string; state: string; nonce: string; codeVerifier: string }>;
  /** Exchanges the answer's code. Throws when anything about the answer is not as it was asked for. */
  finish(answer: URL, expected: { state: string; nonce: string; codeVerifier: string }): Promise<OidcIdentity>;
};

/** Undefined: single sign-on is off. */
export function createOidc({ oidcIssuer, oidcClientId, oidcClientSecret }: Config): Oidc | undefined {
  if (oidcIssuer === undefined) return undefined;
  if (oidcClientId === undefined)
    throw new ConfigError("GREENLIT_OIDC_ISSUER is set, but GREENLIT_OIDC_CLIENT_ID is not. Set both, or neither.");
  const issuer = new URL(oidcIssuer);
  if (issuer.protocol === "http:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(issuer.hostname))
    throw new ConfigError("GREENLIT_OIDC_ISSUER must be https, unless it is on this machine.");

  let found: Promise<Configuration> | undefined;
  /** At the first sign-in: a provider that is away must not keep the service from starting. */
  function discover(): Promise<Configuration> {
    found ??= discovery(issuer, oidcClientId ?? "", oidcClientSecret, undefined, {
      // Also the signature of the ID token: whoever can answer in the provider's place has no key of it.
      execute: [enableNonRepudiationChecks, ...(issuer.protocol === "http:" ? [allowInsecureRequests] : [])],
      timeout: 10,
    });
    found.catch(() => {
      found = undefined;
    });
    return found;
  }

  return {
    async begin(redirectUri) {
      const [state, nonce, codeVerifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
      const url = buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri,
        scope: "openid email profile",
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, state, nonce, codeVerifier };
    },
    async finish(answer, { state, nonce, codeVerifier }) {
      const provider = await discover();
      const tokens = await authorizationCodeGrant(provider, answer, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error("the provider sent no ID token");
      const facts =
        claims["email"] === undefined ? await fetchUserInfo(provider, tokens.access_token, claims.sub) : claims;
      const { email, name } = facts;
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: typeof email === "string" ? email : undefined,
        isEmailVerified: facts["email_verified"] === true,
        name: typeof name === "string" && name.trim() !== "" ? name : undefined,
      };
    },
  };
}
