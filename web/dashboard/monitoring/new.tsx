import { useAddress } from '../address.ts'
import { send } from '../api/client.ts'
import { Form } from '../parts/ask.tsx'
import { Columns, Page, Section } from '../parts/page.tsx'
import { useServices } from '../payment-service-reports/use-services.ts'
import { notify } from '../shell/notices.tsx'
import { bodyOf, FIRST_VALUES, newFields } from './fields.ts'
import { MONITORS } from './words.ts'

export function NewMonitor() {
  const { go } = useAddress()
  const { options } = useServices()
  return (
    <Page title="New monitor" back={MONITORS}>
      <Columns
        main={
          <Section title="The monitor">
            <div className="long-form">
              <Form
                fields={newFields(options)}
                initial={FIRST_VALUES}
                verb="Create monitor"
                send={(body, idempotencyKey) =>
                  send('POST /monitoring/metrics', { body: bodyOf(body), idempotencyKey })
                }
                onDone={({ id, display_name }) => {
                  notify({ title: `${display_name} is active` })
                  go(`/monitoring/${id}`)
                }}
                onCancel={() => go(MONITORS.to)}
              />
            </div>
          </Section>
        }
        side={
          <Section title="How it works">
            <ol className="steps">
              <li>The approval rate is measured every minute.</li>
              <li>
                Enough alerts in a row open an incident: it appears on your home page, and is sent to
                webhooks.
              </li>
              <li>Minutes without payments do not count.</li>
              <li>A merchant account has at most ten monitors.</li>
            </ol>
          </Section>
        }
      />
    </Page>
  )
}
