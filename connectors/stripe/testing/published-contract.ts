import { decodeForm } from '#sandbox/stand-ins/stripe/form.ts'
import { openContract } from '#testing/published-contract.ts'
import { METHODS } from '../methods.ts'
import { API_VERSION } from '../wire.ts'
import contract from './contract.json' with { type: 'json' }

const TEXT = { type: 'string', maxLength: 5_000 }
const CODE = { type: 'string', maxLength: 12 }
const WHOLE = { type: 'integer', minimum: 0 }
const ONE_OF = (...values: string[]) => ({ type: 'string', enum: values })
const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required })
const IF_AVAILABLE = ONE_OF('if_available', 'never')
const USAGE = ONE_OF('installment', 'recurring', 'unscheduled')

const TAX = object({ total_tax_amount: WHOLE }, ['total_tax_amount'])
const LINE_ITEM = object(
  {
    product_name: { type: 'string', minLength: 1, maxLength: 1_024 },
    product_code: CODE,
    quantity: { type: 'integer', minimum: 1 },
    unit_cost: WHOLE,
    discount_amount: { type: 'integer', minimum: 1 },
    tax: TAX,
    unit_of_measure: CODE,
    payment_method_options: object({ card: object({ commodity_code: CODE }) }),
  },
  ['product_name', 'quantity', 'unit_cost'],
)
const AUTHENTICATION = {
  moto: { type: 'boolean' },
  three_d_secure: object(
    {
      version: ONE_OF('1.0.2', '2.1.0', '2.2.0', '2.3.0', '2.3.1'),
      cryptogram: TEXT,
      transaction_id: TEXT,
      electronic_commerce_indicator: ONE_OF('01', '02', '05', '06', '07'),
      ares_trans_status: ONE_OF('A', 'C', 'I', 'N', 'R', 'U', 'Y'),
    },
    ['version', 'cryptogram', 'transaction_id'],
  ),
}
const NAMES = ['card', 'bacs_debit', 'sepa_debit', 'us_bank_account', ...METHODS.map(({ type }) => type)]
const TYPES = { type: 'array', items: ONE_OF(...NAMES) }

/** Files have an address of their own, and are not in what we have of the document: `FileCreateParams` and `File` of the official types. */
const FILES = {
  query: object({}),
  request: object({ file: { type: 'string' }, purpose: ONE_OF('dispute_evidence') }, ['file', 'purpose']),
  answers: {
    200: object({ id: TEXT, object: ONE_OF('file'), purpose: TEXT, size: WHOLE }, [
      'id',
      'object',
      'purpose',
      'size',
    ]),
    default: { $ref: '0/error' },
  },
}
const ENDPOINT = contract.operations['POST /v1/webhook_endpoints'].request.properties
const published = { ...contract, operations: { ...contract.operations, 'POST /v1/files': FILES } }

/** Stripe's OpenAPI of 2023, and what the parameters of the official types have since then, with the limits that they tell. */
export const stripeContract = openContract(published, {
  readForm: decodeForm,
  newer: {
    'POST /v1/payment_intents': {
      allowed_payment_method_types: TYPES,
      amount_details: object({
        enforce_arithmetic_validation: { type: 'boolean' },
        line_items: { type: 'array', items: LINE_ITEM, maxItems: 200 },
        tax: TAX,
        shipping: object({
          amount: WHOLE,
          to_postal_code: { type: 'string', pattern: '^[A-Za-z0-9 -]{1,10}$' },
        }),
      }),
      payment_details: object({ order_reference: TEXT, customer_reference: TEXT }),
    },
    'POST /v1/payment_intents: payment_method_data': {
      type: ONE_OF(...NAMES),
      payto: object({ account_number: TEXT, bsb_number: TEXT, pay_id: TEXT }),
    },
    'POST /v1/payment_intents: payment_method_options.card': {
      ...AUTHENTICATION,
      request_multicapture: IF_AVAILABLE,
      request_overcapture: IF_AVAILABLE,
      request_incremental_authorization: IF_AVAILABLE,
      setup_credential_usage: USAGE,
      stored_credential_usage: USAGE,
    },
    'POST /v1/payment_intents/{intent}/capture': { final_capture: { type: 'boolean' } },
    'POST /v1/setup_intents: payment_method_options.card': AUTHENTICATION,
    'POST /v1/setup_intents': { allowed_payment_method_types: TYPES },
    'POST /v1/webhook_endpoints': {
      api_version: ONE_OF(API_VERSION),
      enabled_events: {
        type: 'array',
        items: ONE_OF(...ENDPOINT.enabled_events.items.enum, 'refund.failed'),
      },
    },
  },
})
