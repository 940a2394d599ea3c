import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, CopyButton } from '../parts/controls.tsx'
import { type Field, field, type Typed } from '../parts/fields.tsx'
import { download } from '../parts/list/table.tsx'
import { Loaded, Section } from '../parts/page.tsx'
import { Status, When } from '../parts/values.tsx'
import { KEY_STATUSES, type Key, PURPOSES, type Wallet } from './words.ts'

type Act = { readonly kind: 'new' } | { readonly kind: 'certify' | 'delete'; readonly of: Key }

/** With its keys, a wallet's tokens are opened here. Private keys are never shown. */
export function Keys({ wallet }: { readonly wallet: Wallet }) {
  const may = useMay()
  const canChange = may('apple-pay-certificates.write')
  const path = { digital_wallet_id: wallet.id }
  const keys = useRead('GET /digital-wallets/{digital_wallet_id}/keys', { path })
  const [act, setAct] = useState<Act>()
  const isApple = wallet.provider === 'apple'
  return (
    <Section
      title={isApple ? 'Keys and certificates' : 'Keys'}
      actions={
        canChange && (
          <Button icon="plus" onClick={() => setAct({ kind: 'new' })}>
            New key
          </Button>
        )
      }
    >
      <Loaded of={keys}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet-text">
              None yet. Without a key, tokens are passed on unopened, and the payment service must decrypt
              them.
            </p>
          ) : (
            <ul className="entries">
              {items.map((one) => (
                <Line key={one.id} of={one} canChange={canChange} onAct={setAct} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {act?.kind === 'new' && <NewKey wallet={wallet} onClose={() => setAct(undefined)} />}
      {act?.kind === 'certify' && <Certify of={act.of} onClose={() => setAct(undefined)} />}
      {act?.kind === 'delete' && <Delete of={act.of} onClose={() => setAct(undefined)} />}
    </Section>
  )
}

type LineProps = {
  readonly of: Key
  readonly canChange: boolean
  readonly onAct: (act: Act) => void
}

function Line({ of, canChange, onAct }: LineProps) {
  const { purpose, status, expires_at, recipient_id, merchant_identifier } = of
  const request = of.certificate_signing_request
  const { tone, label } = KEY_STATUSES[status]
  return (
    <li className="wallet-key">
      <div>
        <p>{PURPOSES[purpose]}</p>
        <small>
          <Status tone={tone}>{label}</Status> {merchant_identifier ?? recipient_id}
          {expires_at && (
            <>
              {' '}
              {status === 'expired' ? 'expired' : 'until'} <When at={expires_at} />
            </>
          )}
        </small>
      </div>
      {canChange && (
        <div className="actions">
          {status === 'pending' && request && (
            <>
              <CopyButton text={request} label="Copy signing request" tone="plain" />
              <Button
                onClick={() => download(`${purpose}.certSigningRequest`, 'application/pkcs10', request)}
              >
                Download
              </Button>
            </>
          )}
          {purpose !== 'google-payment' && (
            <Button onClick={() => onAct({ kind: 'certify', of })}>
              {status === 'pending' ? 'Add certificate' : 'Renew'}
            </Button>
          )}
          <Button onClick={() => onAct({ kind: 'delete', of })}>Delete</Button>
        </div>
      )}
    </li>
  )
}

function NewKey({ wallet, onClose }: { readonly wallet: Wallet; readonly onClose: () => void }) {
  const isApple = wallet.provider === 'apple'
  return (
    <Ask
      title="New key"
      verb="Create key"
      isWide
      says={
        isApple
          ? 'Creates a key and a certificate signing request: upload the request to Apple, then add the certificate you get.'
          : 'Creates a key pair. Register the public key with Google.'
      }
      fields={isApple ? appleFields : googleFields}
      initial={isApple ? {} : { purpose: 'google-payment', recipient_id: 'gateway:switchyard' }}
      send={({ is_own: _choice, ...body }, idempotencyKey) =>
        send('POST /digital-wallets/{digital_wallet_id}/keys', {
          path: { digital_wallet_id: wallet.id },
          body: { purpose: 'google-payment', ...body } as Schemas['CreateDigitalWalletKey'],
          idempotencyKey,
        })
      }
      outcome={({ purpose }) => `The key for ${PURPOSES[purpose]} was created`}
      onClose={onClose}
    />
  )
}

function appleFields(typed: Typed): readonly Field[] {
  return [
    field('choice', 'purpose', 'For', {
      isRequired: true,
      options: [
        { value: 'apple-payment-processing', label: 'Payment processing: decrypts tokens' },
        { value: 'apple-merchant-identity', label: 'Merchant identity: starts Apple Pay sessions' },
      ],
    }),
    OWN,
    ...(typed['is_own'] === true ? [CERTIFICATE, PRIVATE_KEY] : []),
  ]
}

function googleFields(typed: Typed): readonly Field[] {
  return [
    field('text', 'recipient_id', 'Recipient', {
      isRequired: true,
      hint: 'As registered with Google: gateway:NAME or merchant:ID.',
    }),
    OWN,
    ...(typed['is_own'] === true ? [PRIVATE_KEY] : []),
  ]
}

const OWN: Field = field('flag', 'is_own', 'I already have a key')

const CERTIFICATE: Field = field('long-text', 'certificate', 'Certificate', {
  isRequired: true,
  hint: 'PEM format, as Apple issued it.',
})

const PRIVATE_KEY: Field = field('secret', 'private_key', 'Private key', {
  isLong: true,
  isRequired: true,
  hint: 'PEM format, without a passphrase. Encrypted when you save, and never shown again.',
})

type KeyProps = { readonly of: Key; readonly onClose: () => void }

function Certify({ of, onClose }: KeyProps) {
  return (
    <Ask
      title={`Certificate for ${PURPOSES[of.purpose]}`}
      verb="Save"
      isWide
      says="The certificate that Apple issued for this key’s signing request."
      fields={[CERTIFICATE]}
      send={(body) =>
        send('PUT /digital-wallets/{digital_wallet_id}/keys/{digital_wallet_key_id}', {
          path: pathOf(of),
          body: body as Schemas['CertifyDigitalWalletKey'],
        })
      }
      outcome="The certificate was saved"
      onClose={onClose}
    />
  )
}

function Delete({ of, onClose }: KeyProps) {
  return (
    <Ask
      title={`Delete the key for ${PURPOSES[of.purpose]}`}
      verb="Delete"
      isDangerous
      says="The private key is destroyed. Tokens encrypted for it can no longer be decrypted."
      send={() =>
        send('DELETE /digital-wallets/{digital_wallet_id}/keys/{digital_wallet_key_id}', { path: pathOf(of) })
      }
      outcome="The key was deleted"
      deletedId={of.id}
      onClose={onClose}
    />
  )
}

function pathOf({ id, digital_wallet_id }: Key) {
  return { digital_wallet_id, digital_wallet_key_id: id }
}
