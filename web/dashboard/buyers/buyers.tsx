import './buyers.css'
import { BuyerDetail } from './detail.tsx'
import { BuyerList } from './list.tsx'

export const pages = { '/': BuyerList, '/$id': BuyerDetail }
