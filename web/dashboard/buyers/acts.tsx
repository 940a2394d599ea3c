import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send } from '../api/client.ts'
import { Ask } from '../parts/ask.tsx'
import { bodyOf, buyerFields, valuesOf } from './fields.ts'
import { LIST, nameOf } from './words.ts'

type Props = { readonly onClose: () => void }

export function NewBuyer({ onClose }: Props) {
  const { go } = useAddress()
  return (
    <Ask
      title="New buyer"
      verb="Create buyer"
      isWide
      says="Fill in what you know. Payments, cards and addresses can be added later."
      fields={buyerFields()}
      send={(body, idempotencyKey) => send('POST /buyers', { body: bodyOf(body), idempotencyKey })}
      outcome={(buyer) => ({ kind: 'done', title: `${nameOf(buyer)} was created` })}
      onDone={({ id }) => go(`/buyers/${id}`)}
      onClose={onClose}
    />
  )
}

type OfBuyer = Props & { readonly buyer: Schemas['Buyer'] }

export function EditBuyer({ buyer, onClose }: OfBuyer) {
  const path = { buyer_id: buyer.id }
  return (
    <Ask
      title={`Edit ${nameOf(buyer)}`}
      verb="Save"
      isWide
      says="Earlier payments keep the details they were made with."
      fields={buyerFields()}
      initial={valuesOf(buyer)}
      standing={{
        now: `changed at ${buyer.updated_at}`,
        read: async () => `changed at ${(await send('GET /buyers/{buyer_id}', { path })).updated_at}`,
      }}
      send={(body) => send('PUT /buyers/{buyer_id}', { path, body: bodyOf(body) })}
      outcome={() => ({ kind: 'done', title: 'Saved' })}
      onClose={onClose}
    />
  )
}

export function DeleteBuyer({ buyer, onClose }: OfBuyer) {
  const { go } = useAddress()
  const name = nameOf(buyer)
  return (
    <Ask
      title={`Delete ${name}`}
      verb="Delete"
      isDangerous
      says={
        <>
          The profile and shipping addresses of <strong>{name}</strong> are deleted. Stored cards and gift
          cards stay, without a buyer. Payments keep the name, e-mail address and postal address they were
          made with: to remove personal data everywhere, erase the buyer instead.
        </>
      }
      send={() => send('DELETE /buyers/{buyer_id}', { path: { buyer_id: buyer.id } })}
      outcome={() => ({ kind: 'done', title: `${name} was deleted` })}
      onDone={() => go(LIST.to)}
      deletedId={buyer.id}
      onClose={onClose}
    />
  )
}
