import { useAddress } from '../address.ts'
import { send, useRead, useReadAll } from '../api/client.ts'
import { Form } from '../parts/ask.tsx'
import { nested } from '../parts/fields.tsx'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { Facts } from '../parts/values.tsx'
import { Catalogue } from '../service-accounts/catalogue.tsx'
import { entriesIn, namingKeys } from '../service-accounts/entries.ts'
import { notify } from '../shell/notices.tsx'
import { methodName } from '../transactions/words.ts'
import { createBody, fieldsOf, newValues } from './form-fields.ts'
import { Verify } from './verify.tsx'
import { type Definition, featuresText, LIST, PATH } from './words.ts'

/** Which provider. */
export function ServiceCatalogue() {
  const definitions = useReadAll('GET /payment-service-definitions')
  return (
    <Page title="New payment service" back={LIST} under="Which provider, and which method?">
      <Loaded of={definitions}>
        {(items) => (
          <Catalogue
            path={PATH}
            definitions={items.map((one) => ({ ...one, note: methodName(one.method) }))}
          />
        )}
      </Loaded>
    </Page>
  )
}

export function NewService() {
  const { params } = useAddress()
  const path = { payment_service_definition_id: params['definition'] ?? '' }
  const definition = useRead('GET /payment-service-definitions/{payment_service_definition_id}', { path })
  return <Loaded of={definition}>{(it) => <NewOf key={it.id} definition={it} />}</Loaded>
}

function NewOf({ definition }: { readonly definition: Definition }) {
  const { go } = useAddress()
  return (
    <Page title={`New service: ${definition.display_name}`} back={{ to: `${PATH}/new`, label: 'Providers' }}>
      <Columns
        main={
          <Section title="The service">
            <Form
              fields={fieldsOf(definition)}
              initial={newValues(definition)}
              verb="Create service"
              send={(values, idempotencyKey) => {
                const body = createBody(definition, values)
                return namingKeys(sentIn(body), () =>
                  send('POST /payment-services', { body, idempotencyKey }),
                )
              }}
              onDone={({ id, display_name }) => {
                notify({ title: `${display_name} is connected` })
                go(`${PATH}/${id}`)
              }}
              onCancel={() => go(PATH)}
            >
              {(values, mark) => (
                <Verify
                  definition={definition}
                  entries={entriesIn(definition.fields, nested(values))}
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

function sentIn({ fields, reporting_fields }: ReturnType<typeof createBody>) {
  return { fields, reporting_fields: reporting_fields ?? [] }
}

export function About({ definition }: { readonly definition: Definition }) {
  const { id, method, supported_currencies, supported_countries } = definition
  return (
    <Section title={definition.display_name}>
      <Facts
        facts={[
          ['Method', methodName(method)],
          ['Supports', featuresText(definition).join(', ')],
          ['Currencies', `${supported_currencies.length}`],
          ['Countries', `${supported_countries.length}`],
          [
            'Definition',
            <span key="id" className="mono">
              {id}
            </span>,
          ],
        ]}
      />
    </Section>
  )
}
