import type { Static } from 'typebox';
import type { ExportFilter } from '../../../domain/exports.js';
import { toMoment } from '../shipments/moment.js';
import type { CreateExportBody } from './schema.js';

/** Which shipments a request asks for. @throws AppError `validation_failed` for a moment that does not exist */
export function toExportFilter(input: NonNullable<Static<typeof CreateExportBody>['filter']>): ExportFilter {
  const filter: ExportFilter = {};
  const { active, type, status, label_generated: labelGenerated, created_from: from, created_to: to } = input;
  if (active != null) filter.active = active;
  if (type != null) filter.type = Number(type) === 1 ? 1 : 2;
  if (status != null) filter.status = status;
  if (labelGenerated != null) filter.labelGenerated = labelGenerated;
  if (from != null) filter.createdFrom = toMoment('filter.created_from', from, false);
  if (to != null) filter.createdTo = toMoment('filter.created_to', to, true);
  return filter;
}
