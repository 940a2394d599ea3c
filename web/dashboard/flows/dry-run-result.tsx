import type { Schemas } from '../../api/schema.d.ts'
import { Notice } from '../parts/page.tsx'
import { Status } from '../parts/values.tsx'
import { Steps } from './steps.tsx'
import { reasonText, THREE_D_SECURE } from './words.ts'

type DryRun = Schemas['FlowDryRun']

/** What would become of the payment, and why. */
export function DryRunResult({ of: it }: { readonly of: DryRun }) {
  return (
    <div className="try-result" role="status">
      <p className="decision-summary">{summaryOf(it)}</p>
      <p className="quiet-text">
        {it.version === null ? 'With your unsaved changes' : `With version ${it.version} of the rules`}
      </p>
      {it.objection && (
        <Notice
          tone={it.objection.stops === 'payment' ? 'bad' : 'wait'}
          title={
            it.objection.stops === 'payment'
              ? 'The card scheme does not allow this payment'
              : 'Against the card scheme’s rules'
          }
        >
          {it.objection.text}
        </Notice>
      )}
      {it.candidates.length > 0 && (
        <section>
          <h3>Payment services</h3>
          <ol className="decision-list">
            {it.candidates.map(({ payment_service_id, display_name, reason, text }) => (
              <li key={payment_service_id}>
                <Status tone={reason === null ? 'good' : 'mute'}>
                  {reason === null ? 'In this order' : 'Skipped'}
                </Status>
                <span>
                  {reason === null ? display_name : `${display_name}: ${reasonText(reason)}`}
                  {text !== null && <span className="quiet-text candidate-text">{text}</span>}
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
      <Steps of={it.steps} />
    </div>
  )
}

function summaryOf({ error_code, objection, candidates, three_d_secure }: DryRun): string {
  if (error_code !== null) return `A rule would decline it with ${error_code}.`
  if (objection?.stops === 'payment') return `It would be declined with ${objection.error_code}.`
  const asked = candidates.filter(({ reason }) => reason === null).map(({ display_name }) => display_name)
  const where =
    asked.length === 0 ? 'No payment service would be used' : `It would go to ${asked.join(', then to ')}`
  const wish =
    three_d_secure === null
      ? ''
      : ` 3-D Secure: ${(THREE_D_SECURE[three_d_secure] ?? three_d_secure).toLowerCase()}.`
  return `${where}.${wish}`
}
