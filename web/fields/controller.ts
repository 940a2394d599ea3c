import { call } from '../api/client.ts'
import type { FieldType } from './kinds.ts'
import { type Field, type FieldState, fields, form, hear, parameter, tell } from './protocol.ts'

const NOTHING: FieldState = { valid: false, empty: true, autofilled: false }
const session = parameter('sessionId')
const storedCard = parameter('paymentMethodId')
let isSending = false

window.switchyardController = { form, noteChange: () => tell({ type: 'form-change', data: formState() }) }
hear(({ type }) => {
  if (type === 'submit') void submit()
})
tell({ type: 'ready' })

function formState() {
  const all = fields()
  const stateOf = (type: FieldType) => find(all, type)?.state() ?? NOTHING
  const required: readonly FieldType[] = storedCard ? [] : ['number', 'expiryDate']
  return {
    fields: {
      number: stateOf('number'),
      expiryDate: stateOf('expiryDate'),
      securityCode: stateOf('securityCode'),
    },
    complete: required.every((type) => stateOf(type).valid) && all.every((field) => field.state().valid),
  }
}

/** A second submit before the answer adds nothing: the page gets the one answer. */
async function submit(): Promise<void> {
  if (isSending) return
  isSending = true
  tell(await send())
  isSending = false
}

/** Sending twice is safe: a card replaces the one that was entered before, and nothing is charged yet. */
async function send(): Promise<Readonly<Record<string, unknown>>> {
  const all = fields()
  const read = (type: FieldType) => find(all, type)?.read() ?? ''
  const code = read('securityCode')
  const postalCode = read('postalCode')
  const scheme = find(all, 'number')?.chosenScheme()
  const card = {
    method: 'card',
    number: read('number'),
    expiration_date: read('expiryDate'),
    ...(scheme && { scheme }),
  } as const
  const answer = await call('PUT /checkout/sessions/{session_id}/fields', {
    path: { session_id: session },
    body: {
      payment_method: {
        ...(storedCard ? ({ method: 'id', id: storedCard } as const) : card),
        ...(code && { security_code: code }),
      },
      ...(postalCode && { postal_code: postalCode }),
    },
  })
  return answer.isGood ? { type: 'success', data: { sessionId: session } } : answer.error
}

function find(all: readonly Field[], type: FieldType): Field | undefined {
  return all.find((field) => field.type === type)
}
