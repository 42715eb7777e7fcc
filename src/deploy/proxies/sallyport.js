// For nginx with njs: asks Sallyport about a request, its body included, and sends the request on
// to the application if it may go on. The subrequest has the body of the request by default.
async function guard(r) {
  const answer = await r.subrequest('/_sallyport', { method: 'POST' });
  if (answer.status === 200) {
    r.internalRedirect('@sallyport_app');
  } else if (answer.status === 403) {
    pageHeaders.forEach((name) => {
      r.headersOut[name] = answer.headersOut[name];
    });
    r.return(403, answer.responseText);
  } else if (isOutage(answer.status) && r.variables.sallyport_on_outage === 'allow') {
    r.internalRedirect('@sallyport_app');
  } else {
    r.error(`sallyport answered ${answer.status}: see that it runs, and that the key is valid`);
    r.return(503);
  }
}

// Headers of the page for the client.
const pageHeaders = ['Content-Type', 'Cache-Control', 'X-Content-Type-Options', 'X-Decision-Id'];

// Not reached, or too late. All else says something of the request: a head too large, for one.
function isOutage(status) {
  return status === 502 || status === 504;
}

export default { guard };
