import { useAddress } from '../address.ts'
import { send, useRead, useReadAll } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { methodName } from '../transactions/words.ts'
import { PATH, type Service } from './words.ts'

type Props = { readonly service: Service; readonly onClose: () => void }

export function SwitchService({ service, onClose }: Props) {
  const { id, display_name: name, active } = service
  const isLast = useIsLast(service)
  const method = methodName(service.method)
  return (
    <Ask
      title={`${active ? 'Deactivate' : 'Activate'} ${name}`}
      verb={active ? 'Deactivate' : 'Activate'}
      says={
        active ? (
          <>
            <p>New payments no longer use it. Earlier payments can still be captured, voided and refunded.</p>
            {isLast && <LastOne method={method} />}
          </>
        ) : (
          'New payments use it from now on, in its position.'
        )
      }
      send={() =>
        send('PUT /payment-services/{payment_service_id}', {
          path: { payment_service_id: id },
          body: { active: !active },
        })
      }
      outcome={(after) => ({ kind: 'done', title: `${name} is ${after.active ? 'active' : 'inactive'}` })}
      onClose={onClose}
    />
  )
}

/** Says what depends on the service before it goes. */
export function DeleteService({ service, onClose }: Props) {
  const { go } = useAddress()
  const { id, display_name: name } = service
  const isLast = useIsLast(service)
  return (
    <Ask
      title={`Delete ${name}`}
      verb="Delete"
      isDangerous
      says={
        <>
          <p>
            Payments that went through <strong>{name}</strong> can no longer be captured or refunded. To stop
            new payments only, deactivate it instead.
          </p>
          <OpenPayments id={id} />
          {isLast && <LastOne method={methodName(service.method)} />}
        </>
      }
      send={() => send('DELETE /payment-services/{payment_service_id}', { path: { payment_service_id: id } })}
      outcome={() => ({ kind: 'done', title: `${name} was deleted` })}
      onDone={() => go(PATH)}
      deletedId={id}
      onClose={onClose}
    />
  )
}

function LastOne({ method }: { readonly method: string }) {
  return (
    <p>
      <strong>It is the only active service for the method {method}.</strong> These payments fail without it.
    </p>
  )
}

const SOME = 50

/** Held money that only this service can take. */
function OpenPayments({ id }: { readonly id: string }) {
  const may = useMay()
  const { data } = useRead('GET /transactions', {
    query: { payment_service_id: [id], status: ['authorization_succeeded'], limit: SOME },
    isWanted: may('transactions.read'),
  })
  if (!data || data.items.length === 0) return null
  const count = data.next_cursor ? `More than ${SOME}` : String(data.items.length)
  return (
    <p>
      <strong>
        {count} {count === '1' ? 'payment is' : 'payments are'} authorized and not captured.
      </strong>{' '}
      Capture or void {count === '1' ? 'it' : 'them'} first: afterwards they can only be voided.
    </p>
  )
}

function useIsLast({ id, method, active }: Service): boolean {
  const { data } = useReadAll('GET /payment-services')
  if (!active || !data) return false
  return !data.some((one) => one.id !== id && one.method === method && one.active)
}
