import type { ComponentType } from 'react'
import { useMay } from '../api/me.ts'
import type { Area } from '../areas.ts'
import { LinkButton } from '../parts/controls.tsx'
import { EmptyCard, Page } from '../parts/page.tsx'

/** A page for making or changing something, by its path. */
const IS_FORM = /\/(new|edit)(\/|$)/

/** The page, for those who may use it. Others who come by its address read which right they lack. */
export function guarded(Shown: ComponentType, { permission }: Area, page: string): ComponentType {
  const needed = IS_FORM.test(page) ? permission.replace(/read$/, 'write') : permission
  return function Guarded() {
    const may = useMay()
    return may(needed) ? <Shown /> : <NotAllowed needed={needed} />
  }
}

function NotAllowed({ needed }: { readonly needed: string }) {
  return (
    <Page title="Not allowed">
      <EmptyCard title="Your roles do not allow this" action={<LinkButton to="/">Go to home</LinkButton>}>
        This page needs the permission {needed}. Ask an administrator for a role that has it.
      </EmptyCard>
    </Page>
  )
}

export function NoSuchPage() {
  return (
    <Page title="Not found">
      <EmptyCard title="This page does not exist" action={<LinkButton to="/">Go to home</LinkButton>}>
        Check the address, or search with Ctrl K.
      </EmptyCard>
    </Page>
  )
}
