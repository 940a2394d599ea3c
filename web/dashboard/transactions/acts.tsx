import { type ReactNode, useState } from 'react'
import { useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Button, Icon, type IconName, Menu, Popover } from '../parts/controls.tsx'
import { CancelDialog, CaptureDialog, SyncDialog, VoidDialog } from './dialogs.tsx'
import { isOpen } from './moments.ts'
import { RefundDialog } from './refund-dialog.tsx'
import { ReviewDialog } from './review-dialog.tsx'
import type { DialogProps, Transaction } from './standing.ts'

type Act = {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  readonly Dialog: (props: DialogProps) => ReactNode
  /** What the status asks for. */
  readonly isMain?: boolean
}

/** What can be done with a payment as it stands. The server has the last word. */
function actsFor(it: Transaction, hasOpenAttempt: boolean): Act[] {
  const acts: (Act | false)[] = [
    it.pending_review && { id: 'accept', label: 'Accept', icon: 'check', isMain: true, Dialog: AcceptDialog },
    it.pending_review && { id: 'reject', label: 'Reject', icon: 'close', isMain: true, Dialog: RejectDialog },
    it.capturable_amount > 0 && {
      id: 'capture',
      label: 'Capture',
      icon: 'download',
      isMain: !it.pending_review,
      Dialog: CaptureDialog,
    },
    it.captured_amount > it.refunded_amount && {
      id: 'refund',
      label: 'Refund',
      icon: 'refund',
      isMain: true,
      Dialog: RefundDialog,
    },
    it.status === 'authorization_succeeded' && {
      id: 'void',
      label: 'Void',
      icon: 'close',
      isMain: !it.pending_review,
      Dialog: VoidDialog,
    },
    it.status === 'capture_succeeded' &&
      it.capturable_amount > 0 && {
        id: 'release',
        label: 'Release remainder',
        icon: 'close',
        Dialog: VoidDialog,
      },
    it.status === 'buyer_approval_pending' && {
      id: 'cancel',
      label: 'Cancel',
      icon: 'close',
      isMain: true,
      Dialog: CancelDialog,
    },
    hasOpenAttempt && {
      id: 'sync',
      label: 'Sync with the service',
      icon: 'sync',
      isMain: isWaiting(it),
      Dialog: SyncDialog,
    },
  ]
  return acts.filter((act) => act !== false)
}

/** Whether the outcome of something is not known yet. */
export function isWaiting({ status }: Pick<Transaction, 'status'>): boolean {
  return status === 'processing' || status === 'capture_pending' || status === 'authorization_void_pending'
}

type Props = {
  readonly of: Transaction
  readonly open: string | undefined
  readonly onOpen: (id: string | undefined) => void
}

export function Acts({ of: it, open, onOpen }: Props) {
  const may = useMay()
  // While a dialog is open, it stays, whatever becomes of the payment: it says what has changed.
  const [opened, setOpened] = useState<Act>()
  const attempts = useRead('GET /transactions/{transaction_id}/attempts', {
    path: { transaction_id: it.id },
  })
  const hasOpenAttempt = attempts.data?.items.some(isOpen) ?? false
  const acts = actsFor(it, hasOpenAttempt).filter(({ id }) =>
    may(id === 'accept' || id === 'reject' ? 'transactions.write' : 'transactions.follow-ups.write'),
  )
  const begin = (act: Act) => {
    setOpened(act)
    onOpen(act.id)
  }
  const main = acts.filter(({ isMain }) => isMain)
  const others = acts.filter(({ isMain }) => !isMain)
  return (
    <>
      {others.length > 0 && (
        <Popover
          className="button quiet icon-only"
          label="More actions"
          side="end"
          button={<Icon name="more" />}
        >
          {(close) => (
            <Menu
              close={close}
              items={others.map((act) => ({ label: act.label, icon: act.icon, onChoose: () => begin(act) }))}
            />
          )}
        </Popover>
      )}
      {main.toReversed().map((act, index) => (
        <Button key={act.id} tone={index === main.length - 1 ? 'main' : 'plain'} onClick={() => begin(act)}>
          {act.label}
        </Button>
      ))}
      {open !== undefined && opened && <opened.Dialog of={it} onClose={() => onOpen(undefined)} />}
    </>
  )
}

function AcceptDialog(props: DialogProps) {
  return <ReviewDialog {...props} decision="accept" />
}

function RejectDialog(props: DialogProps) {
  return <ReviewDialog {...props} decision="reject" />
}
