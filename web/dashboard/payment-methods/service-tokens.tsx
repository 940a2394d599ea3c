import { useState } from 'react'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { type RowOf, ShortList } from '../parts/list/list.tsx'
import { METHOD_STATUSES } from './words.ts'

type Token = RowOf<'GET /payment-methods/{payment_method_id}/payment-service-tokens'>

/** What payment services keep for this method under names of their own. */
export function ServiceTokens({ methodId }: { readonly methodId: string }) {
  const may = useMay()
  const [deleted, setDeleted] = useState<Token>()
  const services = useRead('GET /payment-services', {
    query: { limit: 100 },
    isWanted: may('payment-services.read'),
  })
  const serviceOf = ({ payment_service_id: id }: Token) =>
    services.data?.items.find((one) => one.id === id)?.display_name ?? id
  return (
    <>
      <ShortList
        title="Tokens at payment services"
        route="GET /payment-methods/{payment_method_id}/payment-service-tokens"
        request={{ path: { payment_method_id: methodId } }}
        empty="Not stored at any payment service."
        columns={[
          { id: 'service', title: 'Service', look: 'clip', text: serviceOf },
          { id: 'status', title: 'Status', status: ({ status }) => METHOD_STATUSES[status] },
          { id: 'token', title: 'Token', from: 'tablet', look: 'clip mono', text: ({ token }) => token },
          {
            id: 'created_at',
            title: 'Created',
            from: 'desktop',
            isTime: true,
            text: ({ created_at }) => created_at,
          },
          ...(may('payment-methods.write')
            ? [
                {
                  id: 'acts',
                  title: 'Actions',
                  isNumber: true,
                  cell: (row: Token) => (
                    <Button tone="quiet" onClick={() => setDeleted(row)}>
                      Delete
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {deleted && (
        <Ask
          title={`Delete the token at ${serviceOf(deleted)}`}
          verb="Delete"
          isDangerous
          says="The payment service deletes this method. Other services keep theirs."
          send={() =>
            send(
              'DELETE /payment-methods/{payment_method_id}/payment-service-tokens/{payment_service_token_id}',
              { path: { payment_method_id: methodId, payment_service_token_id: deleted.id } },
            )
          }
          outcome={() => ({ kind: 'done', title: 'The token was deleted' })}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </>
  )
}
