import { useAddress } from '../address.ts'
import { send } from '../api/client.ts'
import { Form } from '../parts/ask.tsx'
import { Columns, Page, Section } from '../parts/page.tsx'
import { notify } from '../shell/notices.tsx'
import { bodyOf, fieldsOf, LIST } from './fields.ts'

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
                verb="Create report"
                send={(body, idempotencyKey) =>
                  send('POST /reports', {
                    body: bodyOf(body as Parameters<typeof bodyOf>[0]),
                    idempotencyKey,
                  })
                }
                onDone={({ id, name }) => {
                  notify({ title: `${name} was created` })
                  go(`/reports/${id}`)
                }}
                onCancel={() => go(LIST.to)}
              />
            </div>
          </Section>
        }
        side={
          <Section title="How it works">
            <ol className="steps">
              <li>
                A one-off report starts now. A scheduled one starts with the next day, week or month in its
                time zone.
              </li>
              <li>The CSV file appears on the report’s page, and is announced to webhooks.</li>
              <li>Files are kept for 30 days, unless your operator set another time.</li>
            </ol>
          </Section>
        }
      />
    </Page>
  )
}
