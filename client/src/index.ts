// The package `@switchyard/client`. Each name can be taken alone: bundlers leave out the rest.
export { type Connection, connect, type Options, type Settings } from './connect.ts'
export { type Client, type ClientSettings, createClient } from './create-client.ts'
export {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  type ErrorDetail,
  IdempotencyError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  SwitchyardError,
  TooEarlyError,
  UnknownOutcomeError,
} from './errors.ts'
export type * from './generated/types.ts'
export type { List } from './list.ts'
export { type EmbedSigning, type Pins, type Signing, signEmbedToken, signTokens } from './sign-token.ts'
export {
  type EventTransaction,
  verifyWebhook,
  type WebhookEvent,
  type WebhookProblem,
  type WebhookRequest,
  WebhookVerificationError,
} from './webhooks.ts'
