import type { Connector } from '#connectors/contract/connector.ts'
import { answerDispute } from './answer-dispute.ts'
import { authorize } from './authorize.ts'
import { complete } from './complete.ts'
import { capture, captureFromAccount, refund, voidAuthorization } from './follow-ups.ts'
import { cardManifest, walletManifest } from './manifest.ts'
import { readNotification } from './notification.ts'
import { registerNotifications } from './register-notifications.ts'
import { reports } from './reports.ts'
import { sync, syncAccount } from './sync.ts'
import { forgetToken, tokenize } from './tokens.ts'
import { CARD_TRIAL, TRIAL } from './trial.ts'
import { verify } from './verify.ts'

/** PayPal by Orders v2: buyers with an account at PayPal, and cards. See docs/connectors/paypal.md. */
const SHARED = {
  authorize,
  complete,
  capture,
  void: voidAuthorization,
  refund,
  tokenize,
  forgetToken,
  answerDispute,
  sync,
  verify,
  readNotification,
  registerNotifications,
  reports,
} satisfies Partial<Connector>

export const payPal: Connector = {
  manifest: walletManifest,
  ...SHARED,
  capture: captureFromAccount,
  sync: syncAccount,
  trial: TRIAL,
}
export const payPalCard: Connector = { manifest: cardManifest, ...SHARED, trial: CARD_TRIAL }

export const payPalConnectors: readonly Connector[] = [payPal, payPalCard]
