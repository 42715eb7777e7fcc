// Lets Sallyport look at each request before a net/http handler sees it.
//
//	guard := NewSallyport("http://127.0.0.1:8080", key, 150*time.Millisecond)
//	http.ListenAndServe(":8081", guard.Screen(handler))
//
// Go 1.18 or newer, standard library only. To try it: SALLYPORT_KEY=... go run sallyport.go
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Sallyport takes 1 MiB; the other parts of the request need some of it.
const bodyBytesMax = 900_000

// Sent in a form of their own, or not at all. All other headers are screened.
var handledApart = regexp.MustCompile(`^(content-length|cookie|x-forwarded-for)$`)

// Headers that hold the secret of a client, as long as that is a plain token: with the name of
// its scheme in front, or without.
var secretHeader = regexp.MustCompile(`^((proxy-)?authorization|(x-)?api-key|apikey|` +
	`x-(auth|access)-token|(x-)?csrf-token|x-xsrf-token|x-amz-security-token)$`)
var token = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9-]{0,20} {1,4})?[A-Za-z0-9._~+/-]+=*$`)
var basic = regexp.MustCompile(`(?i)^basic +(.*)$`)

var saneID = regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`)

// Sallyport asks a Sallyport about requests.
type Sallyport struct {
	// OnOutage says what becomes of a request that was not screened: "allow" or "block".
	OnOutage string

	url, key string
	client   *http.Client
}

// NewSallyport keeps connections open, and waits for an answer so long at most, all in all.
func NewSallyport(url, key string, timeLimit time.Duration) *Sallyport {
	transport := &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: 5 * time.Second}
	client := &http.Client{
		Transport: transport,
		Timeout:   timeLimit,
		// The key is for Sallyport alone.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &Sallyport{OnOutage: "allow", url: strings.TrimRight(url, "/"), key: key, client: client}
}

// Screen answers attacks itself and hands all other requests on.
func (s *Sallyport) Screen(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		members, whole := membersOf(r)
		answer, err := s.ask(members)
		if err == nil && answer.Decision == "allow" && !whole {
			err = fmt.Errorf("the body is too large to be looked at whole")
		}
		switch {
		case err != nil:
			log.Printf("sallyport: not screened: %v", err)
			if s.OnOutage == "block" {
				text := "This request cannot be checked now. Try again."
				http.Error(w, text, http.StatusServiceUnavailable)
				return
			}
		case answer.Decision == "block":
			// The reason is for the log: an attacker gets the id only.
			log.Printf("sallyport: blocked %s: %q", answer.ID, answer.Detail)
			text := "This request was refused. Id: " + answer.ID
			http.Error(w, text, http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

type answer struct{ ID, Decision, Detail string }

func (s *Sallyport) ask(members map[string]any) (answer, error) {
	var answer answer
	text, err := json.Marshal(members)
	if err != nil {
		return answer, err
	}
	request, err := http.NewRequest("POST", s.url+"/control", bytes.NewReader(text))
	if err != nil {
		return answer, err
	}
	request.Header.Set("content-type", "application/json")
	request.Header.Set("x-api-key", s.key)
	request.Header.Set("x-deadline-ms", strconv.FormatInt(s.client.Timeout.Milliseconds(), 10))
	response, err := s.client.Do(request)
	if err != nil {
		return answer, err
	}
	defer response.Body.Close()
	// Only what is read to its end leaves a connection that can be used again.
	said, err := io.ReadAll(response.Body)
	if err != nil {
		return answer, err
	}
	wanted := map[int]string{200: "allow", 403: "block"}[response.StatusCode]
	if json.Unmarshal(said, &answer) != nil || wanted == "" ||
		answer.Decision != wanted || !saneID.MatchString(answer.ID) {
		return answer, fmt.Errorf("answer %d: %q", response.StatusCode, answer.Detail)
	}
	return answer, nil
}

// membersOf gives the request as a JSON object, and whether all of it is in there.
func membersOf(r *http.Request) (map[string]any, bool) {
	found := map[string][]string{}
	add := func(name, value string) { found[name] = append(found[name], value) }

	add("method", r.Method)
	add("path", r.URL.EscapedPath())
	add("header.host", r.Host)
	for header, values := range r.Header {
		name := strings.ToLower(header)
		if handledApart.MatchString(name) {
			continue
		}
		for _, value := range values {
			addHeader(add, name, value)
		}
		if len(values) > 1 {
			addHeader(add, name, strings.Join(values, ", "))
		}
	}
	address, _, _ := net.SplitHostPort(r.RemoteAddr)
	chain := append(r.Header.Values("x-forwarded-for"), address)
	add("header.x-forwarded-for", strings.Join(chain, ", "))
	for _, pair := range strings.Split(strings.Join(r.Header.Values("cookie"), ";"), ";") {
		if name, value, _ := strings.Cut(strings.TrimSpace(pair), "="); name != "" || value != "" {
			add("cookie."+name, value)
		}
	}
	addForm(add, "query.", r.URL.RawQuery)

	raw, err := io.ReadAll(io.LimitReader(r.Body, bodyBytesMax+1))
	whole := err == nil && len(raw) <= bodyBytesMax
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(raw), r.Body), r.Body}
	members := map[string]any{}
	if document := addBody(add, raw, r.Header.Get("content-type")); document != nil {
		members["body"] = document
	}
	for name, values := range found {
		members[name] = values
		if len(values) == 1 {
			members[name] = values[0]
		}
	}
	return members, whole
}

// addHeader adds a header whole, but of a secret no plain token, and of Basic the user's name.
func addHeader(add func(name, value string), name, value string) {
	if secretHeader.MatchString(name) {
		if found := basic.FindStringSubmatch(value); found != nil {
			plain, _ := base64.RawStdEncoding.DecodeString(strings.TrimRight(found[1], "="))
			user, _, _ := strings.Cut(string(plain), ":")
			add("header."+name+".user", user)
		}
		if token.MatchString(value) {
			return
		}
	}
	add("header."+name, value)
}

// addBody adds a body as its type says that it will be read. JSON is given back as it came: to
// write it anew would lose the first of two members of one name.
func addBody(add func(name, value string), raw []byte, contentType string) json.RawMessage {
	kind, parameters, _ := mime.ParseMediaType(contentType)
	isJSON := strings.HasSuffix(kind, "/json") || strings.HasSuffix(kind, "+json")
	switch {
	case len(raw) == 0:
	case strings.HasPrefix(kind, "multipart/") && parameters["boundary"] != "":
		addMultipart(add, raw, parameters["boundary"])
	case kind == "application/x-www-form-urlencoded":
		addForm(add, "body.", string(raw))
	case isJSON && json.Valid(raw) && utf8.Valid(raw):
		return raw
	default:
		add("body", string(raw))
	}
	return nil
}

func addForm(add func(name, value string), prefix, text string) {
	for _, pair := range strings.Split(text, "&") {
		if name, value, _ := strings.Cut(pair, "="); pair != "" {
			add(prefix+decoded(name), decoded(value))
		}
	}
}

// decoded leaves bytes that are no text as they are: they are evidence.
func decoded(text string) string {
	plain, err := url.QueryUnescape(text)
	if err != nil || !utf8.ValidString(plain) {
		return text
	}
	return plain
}

func addMultipart(add func(name, value string), raw []byte, boundary string) {
	parts := multipart.NewReader(bytes.NewReader(raw), boundary)
	for {
		part, err := parts.NextRawPart()
		if err != nil {
			if err != io.EOF {
				add("body", string(raw))
			}
			return
		}
		if part.FileName() != "" {
			add("body."+part.FormName()+".filename", part.FileName())
			continue
		}
		value, _ := io.ReadAll(part)
		add("body."+part.FormName(), string(value))
	}
}

func main() {
	// Says back what it was sent.
	echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if len(body) == 0 {
			body = []byte("hello\n")
		}
		w.Header().Set("content-type", "text/plain; charset=utf-8")
		w.Write(body)
	})
	timeLimitMs, err := strconv.Atoi(setting("SALLYPORT_TIMEOUT_MS", "150"))
	if err != nil {
		log.Fatal(err)
	}
	guard := NewSallyport(
		setting("SALLYPORT_URL", "http://127.0.0.1:8080"),
		os.Getenv("SALLYPORT_KEY"),
		time.Duration(timeLimitMs)*time.Millisecond,
	)
	guard.OnOutage = setting("SALLYPORT_ON_OUTAGE", "allow")
	log.Fatal(http.ListenAndServe("127.0.0.1:"+setting("PORT", "8081"), guard.Screen(echo)))
}

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}
