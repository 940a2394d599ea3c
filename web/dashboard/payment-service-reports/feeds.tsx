import type { Schemas } from '../../api/schema.d.ts'
import { useRead } from '../api/client.ts'
import { Notice } from '../parts/page.tsx'
import { When } from '../parts/values.tsx'

type Feed = Schemas['PaymentServiceReportFeed']

/** Services whose files could not be asked for or read. Nothing if all is well. */
export function Feeds({ nameOf }: { readonly nameOf: (id: string) => string }) {
  const feeds = useRead('GET /payment-service-reports/feeds', {})
  const troubled = (feeds.data?.items ?? []).filter(isTroubled)
  if (troubled.length === 0) return null
  return (
    <div className="feeds">
      {troubled.map((feed) => (
        <Notice
          key={feed.payment_service_id}
          tone="wait"
          title={`Files of ${nameOf(feed.payment_service_id)} are not read yet`}
        >
          {feed.problem && <p>{feed.problem}</p>}
          <ul>
            {feed.unread_files.map(({ name, problem }) => (
              <li key={name}>
                <span className="mono">{name}</span>
                {problem && `: ${problem}`}
              </li>
            ))}
          </ul>
          <p>
            Next attempt <When at={feed.next_look_at} />.
          </p>
        </Notice>
      ))}
    </div>
  )
}

function isTroubled({ problem, unread_files }: Feed): boolean {
  return problem !== null || unread_files.some((file) => file.problem !== null)
}
