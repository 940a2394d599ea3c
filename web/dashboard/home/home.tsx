import { useState } from 'react'
import { useRead } from '../api/client.ts'
import { useMay, useMe, useNow } from '../api/me.ts'
import { Notice, Page } from '../parts/page.tsx'
import { Attention } from './attention.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Today } from './today.tsx'
import './home.css'

/** What needs a person, and how today goes. */
function Home() {
  const may = useMay()
  const now = useNow()
  const isPaying = useIsPaying(may('transactions.read'))
  const steps = useSteps(isPaying)
  const mayCount = may('metrics-explorer.read')
  const mayLook = may('attention.read')
  const firstSteps = steps.areShown && (
    <FirstSteps hasPayments={isPaying === true} onDismiss={steps.dismiss} />
  )
  return (
    <Page title="Home">
      <div className="stack home">
        {isPaying === false && firstSteps}
        {mayLook && <Attention />}
        {isPaying !== false && mayCount && now && <Today now={now} />}
        {isPaying && firstSteps}
        {!mayLook && !mayCount && (
          <Notice tone="info" title="Nothing to show for your roles">
            Use the navigation to open the pages you have access to.
          </Notice>
        )}
      </div>
    </Page>
  )
}

/** Whether the merchant account has any payment. Undefined: not known yet, or not for this person to know. */
function useIsPaying(isWanted: boolean): boolean | undefined {
  const newest = useRead('GET /transactions', { query: { limit: 1 }, isWanted })
  return newest.data && newest.data.items.length > 0
}

const DISMISSED = 'switchyard.first-steps'

/** The first steps stay until there is a payment; in a sandbox, which is soon filled with payments, until dismissed. */
function useSteps(isPaying: boolean | undefined) {
  const { environment } = useMe()
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(DISMISSED) !== null)
  return {
    areShown: isPaying === false || (isPaying === true && environment === 'sandbox' && !isDismissed),
    dismiss: () => {
      localStorage.setItem(DISMISSED, 'true')
      setDismissed(true)
    },
  }
}

export const pages = { '/': Home }
