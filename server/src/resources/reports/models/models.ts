import type { Model as ModelName } from '../spec.ts'
import { aiInsightsModel } from './ai-insights.ts'
import type { Model } from './model.ts'
import { transactionRetriesModel } from './transaction-retries.ts'
import { transactionsModel } from './transactions.ts'

/** Every kind of report. */
export const REPORT_MODELS: Readonly<Record<ModelName, Model>> = {
  transactions: transactionsModel,
  transaction_retries: transactionRetriesModel,
  ai_insights: aiInsightsModel,
}
