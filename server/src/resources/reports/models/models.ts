import type { Model as ModelName } from '../spec.ts'
import { accountsReceivablesModel } from './accounts-receivables.ts'
import { aiInsightsModel } from './ai-insights.ts'
import { detailedSettlementModel } from './detailed-settlement.ts'
import type { Model } from './model.ts'
import { transactionRetriesModel } from './transaction-retries.ts'
import { transactionsModel } from './transactions.ts'

/** Every kind of report. */
export const REPORT_MODELS: Readonly<Record<ModelName, Model>> = {
  transactions: transactionsModel,
  transaction_retries: transactionRetriesModel,
  detailed_settlement: detailedSettlementModel,
  accounts_receivables: accountsReceivablesModel,
  ai_insights: aiInsightsModel,
}
