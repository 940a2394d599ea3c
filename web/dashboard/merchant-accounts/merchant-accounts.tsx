import { AccountDetail } from './detail.tsx'
import { AccountList } from './list.tsx'

export const pages = { '/': AccountList, '/$id': AccountDetail }
