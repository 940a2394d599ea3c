import { useState } from 'react'
import { send } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { type RowOf, ShortList } from '../parts/list/list.tsx'
import { TOKEN_STATUSES } from './words.ts'

type Token = RowOf<'GET /payment-methods/{payment_method_id}/network-tokens'>
type Verb = 'suspend' | 'resume' | 'delete'
type Props = { readonly methodId: string; readonly name: string }

/** Numbers that the card scheme gives in place of the card's own. Their own numbers are never shown here. */
export function NetworkTokens({ methodId, name }: Props) {
  const may = useMay()
  const [act, setAct] = useState<{ readonly verb: Verb; readonly token: Token }>()
  const buttons = (token: Token) => (
    <span className="row-actions">
      {verbsFor(token).map((verb) => (
        <Button key={verb} tone="quiet" onClick={() => setAct({ verb, token })}>
          {WORDS[verb].verb}
        </Button>
      ))}
    </span>
  )
  return (
    <>
      <ShortList
        title="Network tokens"
        route="GET /payment-methods/{payment_method_id}/network-tokens"
        request={{ path: { payment_method_id: methodId } }}
        empty="No network token for this card yet. Services that use network tokens request one with a payment."
        columns={[
          { id: 'status', title: 'Status', status: ({ status }) => TOKEN_STATUSES[status] },
          { id: 'id', title: 'Id', from: 'tablet', look: 'mono', text: ({ id }) => id },
          { id: 'expiry', title: 'Expires', look: 'number', text: ({ expiration_date }) => expiration_date },
          {
            id: 'created_at',
            title: 'Created',
            from: 'desktop',
            isTime: true,
            text: ({ created_at }) => created_at,
          },
          ...(may('payment-methods.write')
            ? [{ id: 'acts', title: 'Actions', isNumber: true, cell: buttons }]
            : []),
        ]}
      />
      {act && <TokenAct {...act} methodId={methodId} name={name} onClose={() => setAct(undefined)} />}
    </>
  )
}

function verbsFor({ status }: Token): readonly Verb[] {
  if (status === 'deleted') return []
  return status === 'suspended' ? ['resume', 'delete'] : ['suspend', 'delete']
}

const WORDS: Readonly<Record<Verb, { readonly verb: string; readonly says: string; readonly done: string }>> =
  {
    suspend: {
      verb: 'Suspend',
      says: 'Payments use the card number until you resume the token.',
      done: 'The token is suspended',
    },
    resume: { verb: 'Resume', says: 'Payments can use it again.', done: 'The token is active again' },
    delete: {
      verb: 'Delete',
      says: 'The card scheme deletes it for good. The next payment may request a new one.',
      done: 'The token was deleted',
    },
  }

type ActProps = Props & { readonly verb: Verb; readonly token: Token; readonly onClose: () => void }

function TokenAct({ verb, token, methodId, name, onClose }: ActProps) {
  const path = { payment_method_id: methodId, network_token_id: token.id }
  const words = WORDS[verb]
  return (
    <Ask
      title={`${words.verb} the network token of ${name}`}
      verb={words.verb}
      isDangerous={verb === 'delete'}
      says={words.says}
      standing={{
        now: TOKEN_STATUSES[token.status].label,
        read: async () => {
          const { items } = await send('GET /payment-methods/{payment_method_id}/network-tokens', {
            path: { payment_method_id: methodId },
          })
          const now = items.find(({ id }) => id === token.id)
          return now ? TOKEN_STATUSES[now.status].label : 'Deleted'
        },
      }}
      send={async (_body, idempotencyKey) => {
        const route = '/payment-methods/{payment_method_id}/network-tokens/{network_token_id}'
        if (verb === 'delete') await send(`DELETE ${route}`, { path })
        else await send(`POST ${route}/${verb}`, { path, idempotencyKey })
      }}
      outcome={() => ({ kind: 'done', title: words.done })}
      onClose={onClose}
    />
  )
}
