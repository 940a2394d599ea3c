import type { Schemas } from '../../api/schema.d.ts'
import { useRead } from '../api/read.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Status } from '../parts/status.tsx'
import './decision.css'

type Decision = Schemas['TransactionDecision']
type Step = Decision['steps'][number]

/** Why the payment went where it went. */
export function DecisionOf({ transactionId }: { readonly transactionId: string }) {
  const decision = useRead('GET /transactions/{transaction_id}/decision', {
    path: { transaction_id: transactionId },
  })
  return (
    <Loaded of={decision}>
      {(it) => (
        <div className="decision">
          <p className="decision-summary">{it.summary}</p>
          {it.version !== null && <p className="quiet-text">Version {it.version} of the rules</p>}
          {it.candidates.length > 0 && <Candidates of={it.candidates} />}
          {it.steps.map((step) => (
            <OneStep key={step.action} step={step} />
          ))}
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

const TITLES: Readonly<Record<Step['action'], string>> = {
  'decline-early': 'Decline early',
  'skip-3ds': '3-D Secure',
  'route-transaction': 'Choice of services',
  'select-payment-options': 'Payment options',
}

function OneStep({ step: { action, text, rule, passed_over } }: { readonly step: Step }) {
  return (
    <section>
      <h2>{TITLES[action]}</h2>
      <ol className="decision-list">
        {passed_over.map((passed) => (
          <li key={passed.rule.id}>
            <Status tone="mute">{passed.because === 'not_known' ? 'Not known' : 'Passed over'}</Status>
            <span>{passed.text}</span>
          </li>
        ))}
        <li>
          <Status tone={rule ? 'good' : 'mute'}>{rule ? 'Decided' : 'No rule'}</Status>
          <span>{text}</span>
        </li>
      </ol>
    </section>
  )
}
