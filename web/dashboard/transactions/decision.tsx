import type { Schemas } from '../../api/schema.d.ts'
import { useRead } from '../api/client.ts'
import { Steps } from '../flows/steps.tsx'
import { fromOne } from '../flows/words.ts'
import { LinkButton } from '../parts/controls.tsx'
import { Loaded } from '../parts/page.tsx'
import { useReach } from '../parts/reach.ts'
import { Status } from '../parts/values.tsx'

type Decision = Schemas['TransactionDecision']

const TRY = '/routing/try'

/** Why the payment went where it went. */
export function DecisionOf({ transactionId }: { readonly transactionId: string }) {
  const reaches = useReach()
  const decision = useRead('GET /transactions/{transaction_id}/decision', {
    path: { transaction_id: transactionId },
  })
  return (
    <Loaded of={decision}>
      {(it) => (
        <div className="decision">
          <p className="decision-summary">{fromOne(it.summary)}</p>
          {it.version !== null && <p className="quiet-text">Version {it.version} of the rules</p>}
          {it.candidates.length > 0 && <Candidates of={it.candidates} />}
          <Steps of={it.steps} heading="h2" />
          {reaches(TRY) && (
            <LinkButton to={TRY} search={{ transaction: transactionId }}>
              Test with the current rules
            </LinkButton>
          )}
        </div>
      )}
    </Loaded>
  )
}

function Candidates({ of: candidates }: { readonly of: Decision['candidates'] }) {
  return (
    <section>
      <h2>Payment services</h2>
      <ol className="decision-list">
        {candidates.map(({ payment_service_id, was_asked, reason, text }) => (
          <li key={payment_service_id}>
            <Status tone={was_asked ? 'good' : 'mute'}>
              {was_asked ? 'Asked' : reason === null ? 'Not needed' : 'Skipped'}
            </Status>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
