<?php

declare(strict_types=1);

namespace Parcelworks\Http;

/** Sends one request, once: no repeats and no redirects of its own. TLS certificates are verified. */
interface Transport
{
    /** @throws TransportException when there is no whole answer */
    public function send(Request $request): Response;
}
