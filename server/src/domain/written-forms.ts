/** The form of a kind of text: the pattern for the validator, and the end of the message “must be …”. */
type WrittenForm = { readonly pattern: string; readonly expected: string }

const form = (pattern: string, expected: string): WrittenForm => ({ pattern, expected })

/** No example contains a card number: an answer must never hold one. */
export const WRITTEN = {
  currency: form('^[A-Z]{3}$', 'a currency in three capital letters, such as USD'),
  country: form('^[A-Z]{2}$', 'a country in two capital letters, such as US'),
  stateCode: form('^[A-Z]{2}-[A-Z0-9]{1,3}$', 'a country, a dash and the state’s code, such as US-CA'),
  merchantCountry: form(
    '^([0-9]{3}|[A-Z]{2})$',
    'a country in three digits or two capital letters of ISO 3166-1, such as 840 or US',
  ),
  countryFilter: form('^[A-Za-z]{2}$', 'a country in two letters, such as US'),
  categoryCode: form('^[0-9]{4}$', 'a merchant category in four digits of ISO 18245, such as 5411'),
  emailAddress: form('^[^@\\s]+@[^@\\s]+$', 'an e-mail address, such as john@example.com'),
  phoneNumber: form('^\\+[1-9]\\d{1,14}$', 'a plus and 2 to 15 digits without spaces, such as +14155550123'),
  cardNumber: form('^[0-9]{13,19}$', '13 to 19 digits without spaces or dashes'),
  giftCardNumber: form('^[0-9]{16,19}$', '16 to 19 digits without spaces or dashes'),
  expirationDate: form('^\\d{2}/\\d{2}$', 'month and year as MM/YY, such as 12/30'),
  securityCode: form('^\\d{3,4}$', '3 or 4 digits, such as 123'),
  cardStart: form('^[0-9]{6,8}$', 'the first 6 to 8 digits of the card number, such as 411111'),
  eci: form('^0?\\d$', 'one digit, or a zero and a digit, such as 05'),
  threeDSecureVersion: form('^[12](\\.\\d+){0,2}$', 'a version of 3-D Secure, such as 2.2.0'),
  merchantAccountId: form('^[a-zA-Z0-9-]+$', '1 to 50 letters, digits and dashes, such as fashion-store'),
  statementText: form(
    '^(?=.*[A-Za-z])[ !#-&()+-;=?-\\[\\]-~]*$',
    '5 to 22 letters, digits or signs with at least one letter, without < > * " \' and \\, such as FASHION STORE',
  ),
} as const satisfies Record<string, WrittenForm>
