import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send } from '../api/client.ts'
import { useMe } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { Columns, Page, Section } from '../parts/page.tsx'
import { Facts } from '../parts/values.tsx'
import { THEMES, useTheme } from '../shell/theme.ts'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { Sessions } from './sessions.tsx'
import { words } from './words.ts'
import './me.css'

export const pages = { '/': MyPage }

/** What a user keeps about themselves: ways to sign in, sessions, how the dashboard looks. */
function MyPage() {
  const me = useMe()
  const [isRenaming, setRenaming] = useState(false)
  return (
    <Page title="Your settings">
      <Columns
        main={
          <>
            {me.has_oidc ? (
              <CompanyAccount />
            ) : (
              <>
                <Passkeys />
                <Password />
              </>
            )}
            <Sessions />
          </>
        }
        side={
          <>
            <Section
              title="You"
              actions={!me.has_oidc && <Button onClick={() => setRenaming(true)}>{words.you.rename}</Button>}
            >
              <Facts
                facts={[
                  ['Name', me.name],
                  ['E-mail address', me.email_address],
                  ['Roles', me.roles.map(({ name }) => name).join(', ')],
                  [
                    'Merchant accounts',
                    me.is_unrestricted
                      ? 'All'
                      : me.merchant_accounts.map(({ display_name }) => display_name).join(', '),
                  ],
                ]}
              />
            </Section>
            <Theme />
          </>
        }
      />
      {isRenaming && <Rename name={me.name} onClose={() => setRenaming(false)} />}
    </Page>
  )
}

function Rename({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  return (
    <Ask
      title={words.you.rename}
      verb="Save"
      says={words.you.renameSays}
      fields={[{ name: 'name', label: 'Your name', kind: 'text', isRequired: true, autoComplete: 'name' }]}
      initial={{ name }}
      send={(body) => send('PUT /users/me', { body: body as Schemas['UpdateMe'] })}
      outcome={() => ({ kind: 'done', title: words.you.wasRenamed })}
      onClose={onClose}
    />
  )
}

function CompanyAccount() {
  return (
    <Section title="How you sign in">
      <p className="quiet-text">With your company account, which also provides your name and roles.</p>
    </Section>
  )
}

function Theme() {
  const { chosen, choose } = useTheme()
  return (
    <Section title="Theme">
      <div className="segments" role="radiogroup" aria-label="Theme">
        {THEMES.map(([theme, label]) => (
          <label key={theme}>
            <input
              type="radio"
              name="theme"
              checked={theme === chosen}
              onChange={() => choose(theme)}
              className="visually-hidden"
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <p className="hint">For this browser.</p>
    </Section>
  )
}
