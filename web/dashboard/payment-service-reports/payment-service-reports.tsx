import './payment-service-reports.css'
import { ReportDetail } from './detail.tsx'
import { ReportList } from './list.tsx'

export const pages = { '/': ReportList, '/$id': ReportDetail }
