import { growthBenchmark } from './list-growth.ts'
import { combinationCases, transactionCases } from './list-growth-transaction-cases.ts'
import { fillTransactions, transactionAccounts } from './list-growth-transactions.ts'
import { PAYMENT } from './payment.ts'

export const listTransactionsGrowth = growthBenchmark({
  name: 'list-transactions-growth',
  title: 'Transactions that grow',
  subject: '`GET /transactions` is, and `POST /transactions`, when its tables are',
  creation: { route: 'transactions', body: PAYMENT },
  accounts: transactionAccounts(),
  add: fillTransactions,
  casesOf: async (rows, secrets) => [...(await transactionCases(rows, secrets)), ...combinationCases(rows)],
  settings: [
    'as many buyers as transactions; of these 60 % in the default account, 20 % in a second one, 5 in a third, the rest in 18 others; created evenly over a year',
    '50 % USD, 30 % EUR; 80 % cards; 70 % captured, 12 % declined; 3 % refunded; two pairs of metadata; "rare" is what 5 of the oldest have',
    'several filters together ("combination") have no target: where nothing but a long walk finds the page, the list takes up to 5 s and then answers 400',
  ],
})
