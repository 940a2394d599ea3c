import type { Context, Tx } from '#platform/database/db.ts'
import { escaped } from '#platform/mail/mailer.ts'
import { post } from '#platform/mail/outbox.ts'
import type { Installation, Link } from '#resources/auth/links/make.ts'
import type { User } from './schemas.ts'

/** Sends an invited user their link, where the operator has named an SMTP server. The caller gets the link in any case. */
export async function mailLink(
  tx: Context<Tx>,
  { secrets, publicUrl, mailer }: Installation,
  { user, link: { url, expiresAt } }: { readonly user: User; readonly link: Link },
): Promise<void> {
  if (!mailer) return
  const { host } = new URL(publicUrl)
  const until = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long', timeZone: 'UTC' })
  const lines = [
    `Hello ${user.name},`,
    `You are invited to the payments dashboard at ${host}. Choose how you sign in:`,
    `The link works once, until ${until.format(expiresAt)}. It is for you alone: do not pass it on.`,
    'If you expected no invitation, do nothing.',
  ]
  const [hello = '', invited = '', ...others] = lines
  await post(tx, secrets, `users/${user.id}`, {
    to: user.email_address,
    subject: `Your invitation to ${host}`,
    text: `${[hello, invited, url, ...others].join('\n\n')}\n`,
    html: [
      ...[hello, invited].map((line) => `<p>${escaped(line)}</p>`),
      `<p><a href="${escaped(url)}">Sign in for the first time</a></p>`,
      ...others.map((line) => `<p>${escaped(line)}</p>`),
    ].join('\n'),
  })
}
