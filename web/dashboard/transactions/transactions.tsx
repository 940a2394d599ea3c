import './transactions.css'
import { TransactionDetail } from './detail.tsx'
import { TransactionList } from './list.tsx'

export const pages = { '/': TransactionList, '/$id': TransactionDetail }
