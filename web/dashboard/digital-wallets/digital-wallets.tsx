import './digital-wallets.css'
import { WalletDetail } from './detail.tsx'
import { WalletList } from './list.tsx'

export const pages = { '/': WalletList, '/$id': WalletDetail }
