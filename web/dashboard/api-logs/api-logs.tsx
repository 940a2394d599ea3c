import './api-logs.css'
import { RequestDetail } from './detail.tsx'
import { RequestList } from './list.tsx'

export const pages = { '/': RequestList, '/$id': RequestDetail }
