import { useAddress } from '../address.ts'
import { send } from '../api/client.ts'
import { Form } from '../parts/form.tsx'
import { Columns, Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { notify } from '../shell/notices.tsx'
import { bodyOf, fieldsOf } from './fields.ts'
import { LIST } from './words.ts'

export function NewReport() {
  const { go } = useAddress()
  const initial = {
    'spec.model': 'transactions',
    schedule: 'once',
    schedule_timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    about: 'auto',
    date: 'created_at',
  }
  return (
    <Page title="New report" back={LIST}>
      <Columns
        main={
          <Section title="The report">
            <div className="long-form">
              <Form
                fields={fieldsOf}
                initial={initial}
                verb="Make the report"
                send={(body, idempotencyKey) =>
                  send('POST /reports', {
                    body: bodyOf(body as Parameters<typeof bodyOf>[0]),
                    idempotencyKey,
                  })
                }
                onDone={({ id, name }) => {
                  notify({ title: `${name} is made` })
                  go(`/reports/${id}`)
                }}
                onCancel={() => go(LIST.to)}
              />
            </div>
          </Section>
        }
        side={
          <Section title="What happens">
            <ol className="steps">
              <li>
                A report that is written once begins now. One with a schedule begins as the next day, week or
                month does in its time zone.
              </li>
              <li>The file is CSV. It appears on the page of the report, and a webhook can tell of it.</li>
              <li>Files are kept for 30 days, unless the service is set up otherwise.</li>
            </ol>
          </Section>
        }
      />
    </Page>
  )
}
