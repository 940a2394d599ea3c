import type { ReportLineKind } from '#connectors/contract/reports.ts'

/** What a line of the settlement details report is, by its `Type`. */
export type LineType = {
  readonly kind: ReportLineKind
  /** It undoes an earlier line with the same reference. */
  readonly isReversal?: true
  readonly isSecond?: true
}

export const LINE_TYPES: Readonly<Record<string, LineType>> = {
  Settled: { kind: 'settlement' },
  SettledReversed: { kind: 'settlement', isReversal: true },
  Refunded: { kind: 'refund_settlement' },
  RefundedReversed: { kind: 'refund_settlement', isReversal: true },
  Chargeback: { kind: 'chargeback' },
  SecondChargeback: { kind: 'chargeback', isSecond: true },
  ChargebackReversed: { kind: 'chargeback_reversal' },
}

/** Lines that change no payment of ours. They count only in the sum of the batch. */
export const OTHER_TYPES: readonly string[] = [
  'AuthorisationSchemeFee',
  'Fee',
  'MerchantPayout',
  'Balancetransfer',
  'DepositCorrection',
  'InvoiceDeduction',
  'MatchedStatement',
  'ManualCorrected',
  'MiscCosts',
  'PaidOut',
  'PaidOutReversed',
  'PaymentCost',
  'ReserveAdjustment',
  'AdvancementCommissioned',
  'BankInstructionReturned',
  'InternalCompanyPayout',
  'EpaPaid',
  'DebitReversed',
]

/** Hours ahead of UTC of the time zones that accounts can have. https://docs.adyen.com/reporting/time-zone-setting */
export const ZONES: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  WET: 0,
  BST: 1,
  WEST: 1,
  IST: 5.5,
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  MSK: 3,
  TRT: 3,
  GST: 4,
  SGT: 8,
  HKT: 8,
  CST: -6,
  CDT: -5,
  EST: -5,
  EDT: -4,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  BRT: -3,
  BRST: -2,
  JST: 9,
  KST: 9,
  ICT: 7,
  WIB: 7,
  PHT: 8,
  MYT: 8,
  PKT: 5,
  IDT: 3,
  EAT: 3,
  SAST: 2,
  CAT: 2,
  WAT: 1,
  ART: -3,
  UYT: -3,
  CLT: -4,
  CLST: -3,
  AST: -4,
  ADT: -3,
  COT: -5,
  PET: -5,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  AWST: 8,
  ACST: 9.5,
  ACDT: 10.5,
  AEST: 10,
  AEDT: 11,
  NZST: 12,
  NZDT: 13,
}
