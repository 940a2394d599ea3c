import { useMe } from '../api/me.ts'
import { Facts } from '../parts/facts.tsx'
import { Columns, Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { THEMES, useTheme } from '../shell/theme.ts'
import './me.css'
import { Passkeys } from './passkeys.tsx'
import { Sessions } from './sessions.tsx'

export const pages = { '/': MyPage }

/** What a user keeps about themselves: ways to sign in, sessions, how the dashboard looks. */
function MyPage() {
  const me = useMe()
  return (
    <Page title="Your settings">
      <Columns
        main={
          <>
            {me.has_oidc ? <CompanyAccount /> : <Passkeys />}
            <Sessions />
          </>
        }
        side={
          <>
            <Section title="You">
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
    </Page>
  )
}

function CompanyAccount() {
  return (
    <Section title="How you sign in">
      <p className="quiet-text">
        With your company account. Your name, your roles and how you prove who you are come from there.
      </p>
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
