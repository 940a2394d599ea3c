import { useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Link } from '../parts/controls.tsx'

type Props = { readonly id: string; readonly name: string }

/** The buyer whom a payment names. A payment keeps the name when the buyer is deleted: the link says so. */
export function BuyerLink({ id, name }: Props) {
  const isWanted = useMay()('buyers.read')
  const found = useRead('GET /buyers', { query: { search: id, limit: 1 }, isWanted })
  if (!isWanted) return name
  return (
    <>
      <Link to={`/buyers/${id}`} className="text-link">
        {name}
      </Link>
      {found.data?.items.length === 0 && <small className="quiet-text"> deleted</small>}
    </>
  )
}
