import { useState } from 'react'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { Form } from '../parts/ask.tsx'
import { nested } from '../parts/fields.tsx'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { entriesIn, namingKeys } from '../service-accounts/entries.ts'
import { notify } from '../shell/notices.tsx'
import { fieldsOf, updateBody, valuesOf } from './form-fields.ts'
import { About } from './new.tsx'
import { Verify } from './verify.tsx'
import { type Definition, PATH, type Service } from './words.ts'

export function EditService() {
  const { params } = useAddress()
  const path = { payment_service_id: params['id'] ?? '' }
  const service = useRead('GET /payment-services/{payment_service_id}', { path })
  return <Loaded of={service}>{(it) => <WithDefinition key={it.id} service={it} />}</Loaded>
}

function WithDefinition({ service }: { readonly service: Service }) {
  const path = { payment_service_definition_id: service.payment_service_definition_id }
  const definition = useRead('GET /payment-service-definitions/{payment_service_definition_id}', { path })
  return <Loaded of={definition}>{(it) => <EditOf service={service} definition={it} />}</Loaded>
}

type Props = { readonly service: Service; readonly definition: Definition }

function EditOf({ service, definition }: Props) {
  const { go } = useAddress()
  // What the person has seen, however often the page reads it again.
  const [seen] = useState(service)
  const back = `${PATH}/${seen.id}`
  return (
    <Page title={`Edit ${seen.display_name}`} back={{ to: back, label: seen.display_name }}>
      <Columns
        main={
          <Section title="The service">
            <Form
              fields={fieldsOf(definition, seen)}
              initial={valuesOf(definition, seen)}
              verb="Save"
              send={(values) => {
                const body = updateBody(definition, seen, values)
                const sent = { fields: body.fields ?? [], reporting_fields: body.reporting_fields ?? [] }
                return namingKeys(sent, () =>
                  send('PUT /payment-services/{payment_service_id}', {
                    path: { payment_service_id: seen.id },
                    body,
                  }),
                )
              }}
              onDone={({ display_name }) => {
                notify({ title: `${display_name} was changed` })
                go(back)
              }}
              onCancel={() => go(back)}
            >
              {(values, mark) => (
                <Verify
                  definition={definition}
                  serviceId={seen.id}
                  entries={entriesIn(definition.fields, nested(values), seen.fields ?? [])}
                  onRefusal={mark}
                />
              )}
            </Form>
          </Section>
        }
        side={<About definition={definition} />}
      />
    </Page>
  )
}
