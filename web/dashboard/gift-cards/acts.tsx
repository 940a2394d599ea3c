import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send } from '../api/client.ts'
import { useBuyerField } from '../buyers/find.ts'
import { Ask } from '../parts/ask.tsx'
import { CopyButton } from '../parts/controls.tsx'
import type { Field, Typed } from '../parts/fields.tsx'
import { moneyText } from '../parts/values.tsx'
import { cardName } from './words.ts'

type Props = { readonly onClose: () => void }

/** Has a new card made. Its address shows number and PIN, so it is shown once and kept nowhere. */
export function Issue({ onClose }: Props) {
  return (
    <Ask
      title="Issue a gift card"
      verb="Issue"
      says={({ amount, currency }) => (
        <>
          The gift card service makes a new card
          {typeof amount === 'number' && typeof currency === 'string' && (
            <>
              {' '}
              with <strong>{moneyText(amount, currency)}</strong> on it
            </>
          )}
          . You get the address that shows it.
        </>
      )}
      fields={issueFields}
      initial={{ currency: 'USD' }}
      send={(body, idempotencyKey) =>
        send('POST /gift-cards/issuances', { body: body as Schemas['IssueGiftCard'], idempotencyKey })
      }
      outcome={({ url, amount, currency }) => ({
        kind: 'shown',
        title: `A card with ${moneyText(amount, currency)} was issued`,
        text: (
          <>
            <p>
              Send this link to the recipient. It is shown only once, and anyone who has it can use the card.
            </p>
            <p className="mono issued-address">{url}</p>
            <CopyButton text={url} label="Copy link" tone="plain" />
          </>
        ),
      })}
      onClose={onClose}
    />
  )
}

function issueFields(typed: Typed): readonly Field[] {
  return [
    ...moneyFields(typed, true),
    {
      name: 'theme',
      label: 'Design',
      kind: 'text',
      isRequired: true,
      hint: 'As named by the gift card service, such as birthday',
    },
    { name: 'external_identifier', label: 'Your reference', kind: 'text' },
  ]
}

/** Makes a card that was sold spendable. */
export function Activate({ onClose }: Props) {
  const { go } = useAddress()
  const buyer = useBuyerField()
  return (
    <Ask
      title="Activate a gift card"
      verb="Activate"
      says="The card can be used from now on. Leave the amount empty if it is printed on the card."
      fields={(typed) => activateFields(typed, buyer)}
      initial={{ currency: 'USD' }}
      send={({ currency, amount, ...body }, idempotencyKey) => {
        const money = amount === undefined ? {} : { amount, currency }
        const request = { ...body, ...money } as Schemas['ActivateGiftCard']
        return send('POST /gift-cards/activations', { body: request, idempotencyKey }).then((card) => ({
          card,
          isStored: request.store === true,
        }))
      }}
      outcome={({ card }) => ({ kind: 'done', title: `${cardName(card)} is active` })}
      onDone={({ card, isStored }) => isStored && go(`/gift-cards/${card.id}`)}
      onClose={onClose}
    />
  )
}

function activateFields(typed: Typed, buyer: Field): readonly Field[] {
  return [
    { name: 'number', label: 'Number', kind: 'text', isRequired: true },
    { name: 'pin', label: 'PIN', kind: 'secret' },
    ...moneyFields(typed, false),
    { name: 'external_identifier', label: 'Your reference', kind: 'text' },
    { name: 'store', label: 'Also store the card', kind: 'flag', hint: 'Needs the PIN' },
    ...(typed['store'] === true ? [buyer] : []),
  ]
}

/** Keeps a card for a buyer, so that its number is typed once. */
export function Store({ onClose }: Props) {
  const { go } = useAddress()
  const buyer = useBuyerField()
  return (
    <Ask
      title="Store a gift card"
      verb="Store"
      says="The gift card service checks the card first. Number and PIN are encrypted, and never shown again."
      fields={[
        { name: 'number', label: 'Number', kind: 'text', isRequired: true },
        { name: 'pin', label: 'PIN', kind: 'secret', isRequired: true },
        buyer,
      ]}
      send={(body, idempotencyKey) =>
        send('POST /gift-cards', { body: body as Schemas['CreateGiftCard'], idempotencyKey })
      }
      outcome={(card) => ({ kind: 'done', title: `${cardName(card)} is stored` })}
      onDone={({ id }) => go(`/gift-cards/${id}`)}
      onClose={onClose}
    />
  )
}

function moneyFields(typed: Typed, isRequired: boolean): readonly Field[] {
  const currency = String(typed['currency'] || 'USD')
  return [
    { name: 'amount', label: 'Amount', kind: 'money', currency, isRequired, isHalf: true },
    { name: 'currency', label: 'Currency', kind: 'currency', isRequired: true, isHalf: true },
  ]
}
