import './reports.css'
import { ReportDetail } from './detail.tsx'
import { ReportList } from './list.tsx'
import { NewReport } from './new.tsx'
import { Runs } from './runs.tsx'

export const pages = { '/': ReportList, '/new': NewReport, '/runs': Runs, '/$id': ReportDetail }
