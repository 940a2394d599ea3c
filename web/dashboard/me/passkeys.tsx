import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { readAgain, send, useRead } from '../api/client.ts'
import { Ask } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { Loaded, Section } from '../parts/page.tsx'
import { When } from '../parts/values.tsx'
import { notify } from '../shell/notices.tsx'
import { canUsePasskeys, deviceName, makePasskey, NoPasskey } from '../sign-in/passkey.ts'
import { TryNotice, useTrying } from '../sign-in/trying.tsx'
import { words } from './words.ts'

type Passkey = Schemas['Passkey']

/** The devices with which the user signs in. */
export function Passkeys() {
  const passkeys = useRead('GET /auth/passkeys', {})
  const [removed, setRemoved] = useState<Passkey>()
  const [renamed, setRenamed] = useState<Passkey>()
  const trying = useTrying()
  const add = () =>
    trying.run(async () => {
      const { challenge_id, passkey } = await send('POST /auth/passkeys/options', {})
      if (!passkey) throw new NoPasskey('Passkeys do not work at this address: they need a domain name.')
      const body = { challenge_id, passkey: await makePasskey(passkey), passkey_name: deviceName() }
      const { name } = await send('POST /auth/passkeys', { body })
      notify({ title: 'Passkey added', text: name })
      await readAgain()
    })
  return (
    <Section
      title="Passkeys"
      actions={
        canUsePasskeys && (
          <Button icon="plus" disabled={trying.isBusy} onClick={() => void add()}>
            Add a passkey
          </Button>
        )
      }
    >
      <TryNotice error={trying.error} wrong="The passkey could not be checked. Try again." />
      <Loaded of={passkeys}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet-text">You have none yet. A passkey replaces your password and its code.</p>
          ) : (
            <ul className="entries">
              {items.map((one) => (
                <li key={one.id}>
                  <div>
                    <p>{one.name}</p>
                    <small>
                      Added <When at={one.created_at} isReal />
                      {one.last_used_at && (
                        <>
                          {' · '}used <When at={one.last_used_at} isReal />
                        </>
                      )}
                    </small>
                  </div>
                  <div className="acts">
                    <Button onClick={() => setRenamed(one)}>{words.passkeys.rename}</Button>
                    <Button onClick={() => setRemoved(one)}>Remove</Button>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {renamed && <Rename passkey={renamed} onClose={() => setRenamed(undefined)} />}
      {removed && (
        <Ask
          title={`Remove the passkey “${removed.name}”`}
          verb="Remove"
          isDangerous
          says="It no longer signs you in. Remove it from the device, too: it is of no use there."
          send={() => send('DELETE /auth/passkeys/{passkey_id}', { path: { passkey_id: removed.id } })}
          outcome={() => ({ kind: 'done', title: `“${removed.name}” was removed` })}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Section>
  )
}

function Rename({ passkey, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }) {
  const text = words.passkeys
  return (
    <Ask
      title={`${text.renameTitle} “${passkey.name}”`}
      verb={text.rename}
      says={text.renameSays}
      fields={[{ name: 'name', label: 'Name', kind: 'text', isRequired: true }]}
      initial={{ name: passkey.name }}
      send={(body) =>
        send('PUT /auth/passkeys/{passkey_id}', {
          path: { passkey_id: passkey.id },
          body: body as Schemas['UpdatePasskey'],
        })
      }
      outcome={() => ({ kind: 'done', title: text.wasRenamed })}
      onClose={onClose}
    />
  )
}
