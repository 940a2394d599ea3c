import { mayNow } from '../api/me.ts'
import { Id } from './id.tsx'
import { Link } from './link.tsx'

/** Names a request that failed, and leads to what the service noted about it. */
export function RequestId({
  value,
  isShort = false,
}: {
  readonly value: string
  readonly isShort?: boolean
}) {
  return (
    <p className="request">
      Request <Id value={value} isShort={isShort} />
      {mayNow('api-logs.read') && (
        <Link to="/developers/requests" search={{ request_id: value }} className="text-link">
          Look it up
        </Link>
      )}
    </p>
  )
}
