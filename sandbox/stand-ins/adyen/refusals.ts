/**
 * Adyen's results for test payments: the code that `additionalData.RequestedTestAcquirerResponseCode` asks for, the
 * `holderName` that does the same, and what Adyen answers.
 * https://docs.adyen.com/development-resources/testing/result-codes
 */
export type Refusal = {
  readonly code: number
  readonly holderName: string
  readonly reason: string
  readonly resultCode: 'Refused' | 'Error' | 'Cancelled'
  /** The issuer's own words, of the scheme's two-character code. */
  readonly raw?: string
  readonly adviceCode?: string
}

export const APPROVED = 1
export const DECLINED = 2
export const PENDING = 13
export const NOT_ENOUGH_BALANCE = 12

export const REFUSALS: readonly Refusal[] = [
  { code: 0, holderName: 'UNKNOWN', reason: 'Unknown', resultCode: 'Error' },
  refused(2, 'DECLINED', 'Refused', '05 : Do not honor'),
  refused(3, 'REFERRAL', 'Referral', '01 : Refer to card issuer'),
  { code: 4, holderName: 'ERROR', reason: 'Acquirer Error', resultCode: 'Error' },
  { ...refused(5, 'BLOCK_CARD', 'Blocked Card', '41 : Lost card'), adviceCode: '03 : Do not try again' },
  {
    ...refused(6, 'CARD_EXPIRED', 'Expired Card', '54 : Expired card'),
    adviceCode: '01 : New account information available',
  },
  refused(7, 'INVALID_AMOUNT', 'Invalid Amount', '13 : Invalid amount'),
  refused(8, 'INVALID_CARD_NUMBER', 'Invalid Card Number', '14 : Invalid card number'),
  refused(9, 'ISSUER_UNAVAILABLE', 'Issuer Unavailable', '91 : Issuer not available'),
  refused(10, 'NOT_SUPPORTED', 'Not supported', '57 : Transaction not permitted'),
  refused(11, 'NOT_3D_AUTHENTICATED', '3D Not Authenticated'),
  {
    ...refused(12, 'NOT_ENOUGH_BALANCE', 'Not enough balance', '51 : Insufficient funds'),
    adviceCode: '02 : Try again later',
  },
  refused(14, 'ACQUIRER_FRAUD', 'Acquirer Fraud'),
  refused(15, 'CANCELLED', 'Cancelled'),
  refused(16, 'SHOPPER_CANCELLED', 'Shopper Cancelled'),
  refused(17, 'INVALID_PIN', 'Invalid Pin', '55 : Incorrect PIN'),
  refused(18, 'PIN_TRIES_EXCEEDED', 'Pin tries exceeded', '75 : PIN tries exceeded'),
  refused(
    19,
    'PIN_VALIDATION_NOT_POSSIBLE',
    'Pin validation not possible',
    '86 : PIN validation not possible',
  ),
  refused(20, 'FRAUD', 'FRAUD'),
  refused(21, 'NOT_SUBMITTED', 'Not Submitted'),
  { code: 22, holderName: 'FRAUD_CANCELLED', reason: 'FRAUD-CANCELLED', resultCode: 'Cancelled' },
  refused(23, 'TRANSACTION_NOT_PERMITTED', 'Transaction Not Permitted', '57 : Transaction not permitted'),
  refused(24, 'CVC_DECLINED', 'CVC Declined', 'N7 : Security code does not match'),
  refused(25, 'RESTRICTED_CARD', 'Restricted Card', '62 : Restricted card'),
  {
    ...refused(26, 'REVOCATION_OF_AUTH', 'Revocation Of Auth', 'R1 : Revocation of authorization'),
    adviceCode: '21 : Stop recurring payments',
  },
  refused(27, 'DECLINED_NON_GENERIC', 'Declined Non Generic', '83 : Fraud or security'),
  refused(28, 'WITHDRAWAL_AMOUNT_EXCEEDED', 'Withdrawal amount exceeded', '61 : Exceeds amount limit'),
  refused(29, 'WITHDRAWAL_COUNT_EXCEEDED', 'Withdrawal count exceeded', '65 : Exceeds count limit'),
  refused(31, 'ISSUER_SUSPECTED_FRAUD', 'Issuer Suspected Fraud', '59 : Suspected fraud'),
  refused(32, 'AVS_DECLINED', 'AVS Declined'),
  refused(33, 'PIN_REQUIRED', 'Card requires online pin'),
  refused(
    34,
    'NO_CHECKING_ACCOUNT_AVAILABLE_ON_CARD',
    'No checking account available on Card',
    '52 : No checking account',
  ),
  refused(
    35,
    'NO_SAVINGS_ACCOUNT_AVAILABLE_ON_CARD',
    'No savings account available on Card',
    '53 : No savings account',
  ),
  refused(36, 'MOBILE_PIN_REQUIRED', 'Mobile PIN required'),
  refused(37, 'CONTACTLESS_FALLBACK', 'Contactless fallback'),
  refused(
    38,
    'AUTHENTICATION_REQUIRED',
    'Authentication required',
    '1A : Additional authentication required',
  ),
  refused(39, 'RREQ_NOT_RECEIVED', 'RReq not received from DS'),
  refused(40, 'BAN_CURRENT_AID', 'Current AID is in Penalty Box.'),
  refused(41, 'CVM_REQUIRED', 'CVM Required Restart Payment'),
  refused(42, 'THREED_SECURE_ERROR', '3DS Authentication Error'),
  refused(43, 'ONLINE_PIN_REQUIRED', 'Online PIN required'),
  refused(44, 'TRY_ANOTHER_INTERFACE', 'Try another interface'),
  refused(45, 'CHIP_DOWNGRADE_MODE', 'Chip downgrade mode'),
  refused(46, 'ERPS_BLOCK', 'Transaction blocked by Adyen to prevent excessive retry fees'),
]

function refused(code: number, holderName: string, reason: string, raw?: string): Refusal {
  return { code, holderName, reason, resultCode: 'Refused', ...(raw && { raw }) }
}
