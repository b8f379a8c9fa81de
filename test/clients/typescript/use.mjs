import { ApiError, Parcelworks, signWebhook, verifyWebhook } from 'parcelworks';
import { use } from './use.cjs';

await use({ ApiError, Parcelworks, signWebhook, verifyWebhook });
